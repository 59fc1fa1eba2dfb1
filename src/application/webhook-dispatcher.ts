import { nextDeliveryAt } from '../domain/webhook-retry.js';
import type { Observer } from '../ports/observer.js';
import { type Tracing, untraced } from '../ports/tracing.js';
import type { WebhookAnswer, WebhookSender } from '../ports/webhook-sender.js';
import type { DeliveryVerdict, DueDelivery, WebhookStore } from '../ports/webhook-store.js';
import { webhookMessage } from './webhook-message.js';

export interface DispatcherOptions {
  readonly webhooks: WebhookStore;
  readonly sender: WebhookSender;
  readonly observer?: Observer;
  readonly tracing?: Tracing;
  now(): number;
  /** Evenly drawn from [0, 1]. */
  random(): number;
  /** Resolves when so many milliseconds have passed or the signal was aborted, whichever is first; never rejects. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** Told in one line, without URLs and secrets, what an operator should know. */
  say(line: string): void;
}

export interface WebhookDispatcher {
  /** Delivers until `stop`, then lets what is under way end. Never rejects: without the store it waits for it. */
  run(): Promise<void>;
  stop(): void;
}

/** Deliveries under way at once in one process, and of them to one URL, so that a slow receiver leaves room. */
const slots = 16;
const slotsPerUrl = 4;
/** Longer than a request can take, so that only a lost worker's deliveries are taken over. */
const leaseMs = 60_000;
/** Nobody calls when another worker is lost, or when the database does not pass calls on. */
const slowPollMs = 30_000;
/** While another worker holds on to what is due. */
const shortestPauseMs = 50;
const storeAwayMs = 5_000;
const tidyEveryMs = 3_600_000;
/** Settled events are kept for so long. */
const keptMs = 30 * 24 * 3_600_000;

/**
 * Takes due deliveries out of the store, sends them and writes down what came of it. Any number of dispatchers share the
 * work. Delivered at least once: a worker that is lost between the answer and the store leaves a delivery that another
 * one makes again, under the same id. No order is promised.
 */
export function createWebhookDispatcher(options: DispatcherOptions): WebhookDispatcher {
  const { webhooks, now, pause, say } = options;
  const underWay = new Map<Promise<void>, string>();
  let isStopping = false;
  let isStoreAway = false;
  let tidiedAt = Number.NEGATIVE_INFINITY;
  let alarm = new AbortController();
  const wake = () => alarm.abort();

  const start = (due: DueDelivery) => {
    const delivering = deliver(options, due)
      .catch((error: unknown) => {
        // Sent or not, it is not written down: when its lease ends it is sent again.
        say(`webhooks: a try of delivery ${due.deliveryId} could not be written down (${nameOf(error)})`);
      })
      .finally(() => {
        underWay.delete(delivering);
        wake();
      });
    underWay.set(delivering, due.url);
  };

  /** Starts what there is room for; returns how long to wait for more. */
  const step = async (): Promise<number> => {
    if (now() - tidiedAt >= tidyEveryMs) {
      tidiedAt = now();
      await webhooks.tidy(now(), now() - keptMs);
    }
    const limit = slots - underWay.size;
    if (limit === 0) return slowPollMs;
    const claim = { at: now(), leaseMs, limit, perUrl: slotsPerUrl, without: busy(underWay) };
    for (const due of await webhooks.claim(claim)) start(due);
    const nextAt = await webhooks.nextDueAt(busy(underWay));
    if (nextAt === null) return slowPollMs;
    return Math.min(slowPollMs, Math.max(shortestPauseMs, nextAt - now()));
  };

  return {
    run: async () => {
      const listening = webhooks.listen(wake);
      while (!isStopping) {
        alarm = new AbortController();
        let pauseMs = storeAwayMs;
        try {
          pauseMs = await step();
          isStoreAway = false;
        } catch (error) {
          if (!isStoreAway) say(`webhooks: waiting for the store (${nameOf(error)})`);
          isStoreAway = true;
        }
        if (!isStopping) await pause(pauseMs, alarm.signal);
      }
      await Promise.all(underWay.keys());
      await listening.close();
    },
    stop: () => {
      isStopping = true;
      wake();
    },
  };
}

/** URLs that have as many deliveries under way as they get. */
function busy(underWay: ReadonlyMap<unknown, string>): readonly string[] {
  const counts = new Map<string, number>();
  for (const url of underWay.values()) counts.set(url, (counts.get(url) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= slotsPerUrl).map(([url]) => url);
}

async function deliver(
  { webhooks, sender, now, random, say, observer, tracing = untraced }: DispatcherOptions,
  due: DueDelivery,
): Promise<void> {
  const { url, event, secrets } = due;
  const at = now();
  const message = { url, eventId: event.eventId, body: webhookMessage(event), secrets, at };
  const facts = { delivery: due.deliveryId, extraction: event.key, run: event.run, try: due.number };
  const answer = await tracing.span('webhook', facts, () => sender.send(message));
  const endedAt = now();
  observer?.webhookTried({
    deliveryId: due.deliveryId,
    result: errorOf(answer) ?? 'delivered',
    durationMs: Math.max(0, endedAt - at),
  });
  const verdict = judge(due, answer, endedAt, random());
  if (verdict.kind === 'gone')
    say(`webhooks: ${due.endpointId} answered 410 to delivery ${due.deliveryId} and is told nothing more`);
  if (verdict.kind === 'given_up') say(`webhooks: delivery ${due.deliveryId} is given up after a day`);
  const status = answer.kind === 'answered' ? answer.status : null;
  const tried = { at: endedAt, durationMs: Math.max(0, endedAt - at), status, error: errorOf(answer) };
  await webhooks.settle(due, tried, verdict);
}

/** 2xx is delivered, 410 wants no more, everything else is tried again until a day has passed. */
function judge(due: DueDelivery, answer: WebhookAnswer, endedAt: number, random: number): DeliveryVerdict {
  const status = answer.kind === 'answered' ? answer.status : 0;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };
  const retryAt = nextDeliveryAt({
    failures: due.failures + 1,
    firstTryAt: due.firstTryAt,
    now: endedAt,
    retryAfterMs: answer.kind === 'answered' ? answer.retryAfterMs : null,
    random,
  });
  return retryAt === null ? { kind: 'given_up' } : { kind: 'retry', at: retryAt };
}

function errorOf(answer: WebhookAnswer): string | null {
  if (answer.kind === 'failed') return answer.error;
  const { status } = answer;
  if (status >= 200 && status < 300) return null;
  if (status === 410) return 'gone';
  return status >= 300 && status < 400 ? 'redirect' : 'rejected';
}

/** An error's own text may name what must not be in a log. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
