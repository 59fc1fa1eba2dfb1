import type { Breaker } from '../ports/breaker.js';
import type { Store } from '../ports/store.js';

/** How often a worker says how its breakers are although nothing changed. */
export const breakersToldEveryMs = 30_000;

export interface BreakerReports {
  /** To be told of every change; returns at once. */
  changed(): void;
  /** The worker leaves. */
  stop(): Promise<void>;
}

/**
 * Tells the store how the breakers of this worker are: when one changes and every `everyMs`, never with a call. A store
 * that is away is told at the next occasion; until then it shows when the worker was last heard of.
 */
export function createBreakerReports({
  store: { breakers },
  breaker,
  worker,
  provider,
  now,
  everyMs = breakersToldEveryMs,
}: {
  readonly store: Pick<Store, 'breakers'>;
  readonly breaker: Pick<Breaker, 'breakers'>;
  readonly worker: string;
  readonly provider: string;
  readonly now: () => number;
  readonly everyMs?: number;
}): BreakerReports {
  const quietly = (told: Promise<void>) => told.catch(() => undefined);
  const tell = async () => {
    const states = breaker.breakers();
    if (states.length > 0) await quietly(breakers.report({ worker, provider }, states, now()));
  };
  // One after the other, so that an older state never takes the place of a newer one. What a process of the same name
  // left behind is no breaker of this one.
  let telling = quietly(breakers.leave(worker));
  let isDue = false;
  const changed = () => {
    if (isDue) return;
    isDue = true;
    telling = telling.then(() => {
      isDue = false;
      return tell();
    });
  };
  const timer = setInterval(changed, everyMs);
  timer.unref();
  return {
    changed,
    stop: async () => {
      clearInterval(timer);
      await telling;
      await quietly(breakers.leave(worker));
    },
  };
}
