import { setImmediate as turn } from 'node:timers/promises';
import { createWebhookSender } from '../../src/adapters/webhooks/sender.js';
import {
  createWebhookDispatcher,
  type DispatcherOptions,
  type WebhookDispatcher,
} from '../../src/application/webhook-dispatcher.js';
import type { WebhookSender } from '../../src/ports/webhook-sender.js';
import type { WebhookStore } from '../../src/ports/webhook-store.js';

/** Real sockets, also to this machine. */
export const realSender = createWebhookSender({ allowPrivate: true, timeoutMs: 5_000 });

/** Resolves when the signal is aborted and never by time: what follows did not come of polling. */
const untilCalled = (_ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** A dispatcher over a real store and real sockets, told only what a test wants otherwise. */
export function dispatcherOf(
  given: Partial<DispatcherOptions> & Pick<DispatcherOptions, 'webhooks'>,
): WebhookDispatcher & { readonly said: string[]; end(): Promise<void> } {
  const said: string[] = [];
  const dispatcher = createWebhookDispatcher({
    sender: realSender,
    now: Date.now,
    random: () => 1,
    pause: untilCalled,
    say: (line) => said.push(line),
    ...given,
  });
  let running: Promise<void> = Promise.resolve();
  return {
    said,
    run: () => {
      running = dispatcher.run();
      return running;
    },
    stop: dispatcher.stop,
    end: () => {
      dispatcher.stop();
      return running;
    },
  };
}

export interface VirtualTime extends Pick<DispatcherOptions, 'now' | 'pause'> {
  readonly webhooks: WebhookStore;
  readonly sender: WebhookSender;
  /** Pauses that were slept through to their end, in milliseconds. */
  readonly slept: number[];
}

/**
 * A clock that only moves while the dispatcher sleeps, and then at once to the end of the pause. While a delivery is
 * under way it stands still, however long that really takes. Between two deliveries the store is asked only once, so
 * that days pass quickly: nothing may be added meanwhile.
 */
export function virtualTime(startedAt: number, webhooks: WebhookStore, sender: WebhookSender): VirtualTime {
  let at = startedAt;
  let underWay = 0;
  let nextDueAt: Promise<number | null> | null = null;
  const slept: number[] = [];
  return {
    slept,
    now: () => at,
    pause: async (ms, signal) => {
      do await turn();
      while (underWay > 0 && !signal.aborted);
      if (signal.aborted) return;
      at += ms;
      slept.push(ms);
    },
    sender,
    webhooks: {
      ...webhooks,
      claim: async (claim) => {
        const knownAt = await nextDueAt;
        if (nextDueAt !== null && (knownAt === null || claim.at < knownAt)) return [];
        nextDueAt = null;
        const due = await webhooks.claim(claim);
        underWay += due.length;
        return due;
      },
      nextDueAt: (without) => {
        nextDueAt ??= webhooks.nextDueAt(without);
        return nextDueAt;
      },
      settle: async (...settling) => {
        await webhooks.settle(...settling).finally(() => {
          underWay -= 1;
          nextDueAt = null;
        });
      },
      // Days pass in no time, and what was settled is still to be looked at.
      tidy: async () => undefined,
      // A call would come in real time.
      listen: () => ({ close: async () => undefined }),
    },
  };
}
