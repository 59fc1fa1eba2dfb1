import type { Money } from './money.js';
import type { Route } from './route.js';

/**
 * The bounds of one run. Plain data: frozen into the workflow's input at start and stored with every dead letter,
 * so that a redrive or a replay decides under the same bounds.
 */
export interface Policy {
  /** Verification attempts, the primary call included; at least 1. */
  readonly attemptCap: number;
  /** From the run's start to its last possible moment. */
  readonly deadlineMs: number;
  /** Checked after each call, so it can be overrun by one attempt: set it one attempt below the true limit. */
  readonly tokenCap: number;
  readonly moneyCap: Money | null;
  /** `max_tokens` of successive calls after truncation, rising; the last is the maximum. */
  readonly tokenCeilings: readonly number[];
  readonly transport: TransportPolicy;
  /** How long a repair may wait for a slot of its lane. */
  readonly repairLaneWaitMs: number;
  readonly outage: OutagePolicy;
  /** Expected duration of attempt 1, 2, ... (the last one repeats). A prior: the document's own slowest wins if larger. */
  readonly estimateMs: readonly number[];
  /** Model of attempt 1, 2, ... (the last one repeats). */
  readonly models: readonly string[];
  readonly routes: readonly Route[];
}

/** Retries of one call that failed on the way. They never count as attempts. */
export interface TransportPolicy {
  /** Failed calls one activity execution may have, counted from the call rows. */
  readonly maximumCalls: number;
  /** Sum of all backoff within one activity execution. */
  readonly backoffTotalMs: number;
}

/** How long a run may sit out a provider outage between activity runs, keeping its attempt number. */
export interface OutagePolicy {
  readonly patienceMs: number;
  readonly pauseMs: number;
}
