import type { AttemptReport } from '../domain/attempt-report.js';
import type { RunRef } from '../domain/extraction-input.js';
import type { Fault } from '../domain/fault.js';
import type { Lane } from '../domain/lane.js';
import type { Reason } from '../domain/reason.js';
import type { RequestMode } from '../domain/request-mode.js';
import type { RouteName } from '../domain/route.js';
import type { Spending, Usage } from '../domain/usage.js';
import type { Landed } from './extraction-store.js';

/** Where in a run something happened. */
export interface Place {
  readonly ref: RunRef;
  readonly attempt: number;
  readonly lane: Lane;
  readonly model: string;
}

/** One request on the wire, answered or not. */
export interface CallSeen extends Place {
  /** The mode that was used; of a call without an answer, the one that was asked for (null: the model's default). */
  readonly mode: RequestMode | null;
  /** `answered`, or the stable word of what went wrong. */
  readonly result: string;
  readonly usage: Usage | 'unknown';
  readonly spending: Spending;
  readonly durationMs: number;
}

/** One attempt that was committed by this very execution, not found stored. */
export interface AttemptSeen {
  readonly ref: RunRef;
  readonly mode: RequestMode;
  readonly report: AttemptReport;
  /** From the activity's start to its commit, store and waiting included. */
  readonly durationMs: number;
}

/** One run that ended by the work that tells it. */
export interface RunSeen {
  readonly ref: RunRef;
  readonly outcome: 'verified' | 'unverified';
  readonly reason: Reason | null;
  readonly route: RouteName | null;
  readonly attempts: number;
  readonly durationMs: number;
}

export interface WebhookSeen {
  readonly deliveryId: string;
  /** `delivered`, or one word for what went wrong. */
  readonly result: string;
  readonly durationMs: number;
}

/** Told of what happens while it happens, by whoever does it. Never throws, never waits, never changes anything. */
export interface Observer {
  /** An attempt took a slot of its lane; call what is returned when it gives it back. */
  slotTaken(lane: Lane): () => void;
  callEnded(call: CallSeen): void;
  attemptEnded(attempt: AttemptSeen): void;
  /** An attempt that came to no report. */
  attemptFailed(place: Place, fault: Fault | 'call_failed' | 'call_suspended'): void;
  permitDecided(ref: RunRef, attempt: number, granted: boolean): void;
  runEnded(run: RunSeen): void;
  webhookTried(tried: WebhookSeen): void;
}

/** Tells of a run that landed at this instant; one that had closed before is not news. */
export function tellEnded(
  observer: Pick<Observer, 'runEnded'>,
  ref: RunRef,
  { outcome, route, extraction }: Landed,
  at: number,
): void {
  const { reason, attempts, startedAt, closedAt } = extraction;
  if (closedAt !== at) return;
  observer.runEnded({ ref, outcome, reason, route, attempts, durationMs: at - startedAt });
}

/** Tells each of them. */
export function observers(all: readonly Observer[]): Observer {
  const tell = (say: (observer: Observer) => void) => {
    for (const observer of all) say(observer);
  };
  return {
    slotTaken: (lane) => {
      const given = all.map((observer) => observer.slotTaken(lane));
      return () => {
        for (const giveBack of given) giveBack();
      };
    },
    callEnded: (call) => tell((observer) => observer.callEnded(call)),
    attemptEnded: (attempt) => tell((observer) => observer.attemptEnded(attempt)),
    attemptFailed: (place, fault) => tell((observer) => observer.attemptFailed(place, fault)),
    permitDecided: (ref, attempt, granted) =>
      tell((observer) => observer.permitDecided(ref, attempt, granted)),
    runEnded: (run) => tell((observer) => observer.runEnded(run)),
    webhookTried: (tried) => tell((observer) => observer.webhookTried(tried)),
  };
}
