/** How the calls to one model fare, as one worker sees it. */
export interface BreakerState {
  readonly model: string;
  /** `half_open`: one call is let through to find out. */
  readonly state: 'closed' | 'open' | 'half_open';
  /** Since when it is closed, or is not (epoch ms). */
  readonly since: number;
  /** What the call failed of that it last opened after; null while it is closed. */
  readonly cause: string | null;
  /** When the next call is let through, in epoch ms; null unless the state is `open`. */
  readonly nextProbeAt: number | null;
}

/** Stands before the calls of one worker: while a model's server is down, nobody else pays for finding out again. */
export interface Breaker {
  /**
   * Makes the call, unless too many to this model failed on the way in a row. Only transient CallFaults count.
   * @throws CallsSuspended when it was not made; else whatever `call` throws.
   */
  guard<T>(model: string, call: () => Promise<T>): Promise<T>;
  /** When `guard` would let the next call through (epoch ms), should it refuse one now; null when it would not. */
  suspendedUntil(model: string): number | null;
  /** A snapshot, one entry for each model that was called so far. */
  breakers(): readonly BreakerState[];
}

/** A call that was not made, since the ones before it failed. It costs nothing and counts as no call. */
export class CallsSuspended extends Error {
  override readonly name = 'CallsSuspended';
  /** Epoch ms; not in the future when a probe is under way. */
  readonly nextProbeAt: number;

  constructor(nextProbeAt: number) {
    super('Calls to this model are suspended.');
    this.nextProbeAt = nextProbeAt;
  }
}
