import type { BreakerState } from './breaker.js';

/** A breaker as its worker last told of it. */
export interface ReportedBreaker extends BreakerState {
  /** The process, as the engine names it too. */
  readonly worker: string;
  readonly provider: string;
  /** When the worker last told of it. One that was killed tells nothing any more, and nobody tells for it. */
  readonly seenAt: number;
}

export interface BreakerStore {
  /** How this worker's breakers are now; what no worker has told of for a day is forgotten. */
  report(
    worker: { readonly worker: string; readonly provider: string },
    states: readonly BreakerState[],
    at: number,
  ): Promise<void>;
  /** The worker is gone, and its breakers with it. */
  leave(worker: string): Promise<void>;
  /** Those that are not closed first, then by worker and model; at most 500. */
  list(): Promise<readonly ReportedBreaker[]>;
}
