import { setTimeout as sleep } from 'node:timers/promises';
import { createWebhookSender } from '../adapters/webhooks/sender.js';
import {
  createWebhookDispatcher,
  type DispatcherOptions,
  type WebhookDispatcher,
} from '../application/webhook-dispatcher.js';
import type { Config } from '../config.js';
import type { Store } from '../ports/store.js';

/** Delivers webhooks beside the workers of this process. */
export function createWebhooks(
  config: Config,
  { webhooks }: Store,
  say: (line: string) => void,
  watched: Pick<DispatcherOptions, 'observer' | 'tracing'> = {},
): WebhookDispatcher {
  return createWebhookDispatcher({
    webhooks,
    sender: createWebhookSender({ allowPrivate: config.allowPrivateWebhooks }),
    now: Date.now,
    random: Math.random,
    pause: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
    say,
    ...watched,
  });
}
