import type { TransportPolicy } from './policy.js';

/** What is known when a call just failed on the way. */
export interface FailedCall {
  /** Failed calls of this activity execution, this one included; from 1. */
  readonly failedCalls: number;
  /** The provider's Retry-After; null when it sent none. */
  readonly retryAfterMs: number | null;
  /** Evenly drawn from [0, 1]. */
  readonly random: number;
  /** From now to the run's deadline. */
  readonly leftMs: number;
  /** How long the next call is expected to take. */
  readonly estimateMs: number;
}

type Retry =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'give_up'; readonly because: 'calls_used_up' | 'starts_used_up' | 'deadline' };

/**
 * Whether to call again after a transport fault, and when. Full jitter below a bound that doubles with each failure
 * and halves backwards from half of `backoffTotalMs`, so that all of them together stay within that total. The
 * provider's Retry-After replaces the jitter, however long: only the deadline refuses it. Never less than 1 ms, since
 * an engine may read 0 as "no retry".
 */
export function nextRetry(policy: TransportPolicy, call: FailedCall): Retry {
  if (call.failedCalls >= policy.maximumCalls) return { kind: 'give_up', because: 'calls_used_up' };
  // One millisecond is set aside for each retry before the rest is shared out, so that the floor cannot break the total.
  const shareMs = Math.max(0, policy.backoffTotalMs - (policy.maximumCalls - 1));
  const jitterMs = 1 + Math.floor((call.random * shareMs) / 2 ** (policy.maximumCalls - call.failedCalls));
  const delayMs = call.retryAfterMs === null ? jitterMs : Math.max(1, Math.ceil(call.retryAfterMs));
  if (delayMs + call.estimateMs > call.leftMs) return { kind: 'give_up', because: 'deadline' };
  return { kind: 'retry', delayMs };
}

/** What is known when a call was not made, since the ones before it failed (an open breaker). */
export interface SuspendedCall {
  /** From now until the next call is let through; 0 or less when one is under way. */
  readonly probeInMs: number;
  /** How often the engine would start this activity again after this. */
  readonly startsLeft: number;
  /** Evenly drawn from [0, 1]. */
  readonly random: number;
  readonly leftMs: number;
  readonly estimateMs: number;
}

/** Starts that are kept for calls, of a policy that allows more calls than that: someone must be able to wait at all. */
const mostStartsKept = 4;

/**
 * Whether to come back for a call that was not made, and when. It is no failed call, so it uses up none; it does use up a
 * start of the activity, so it gives up while every call still has a start. Each pause is at least the mean
 * one between real calls, and there are more starts than calls: whoever is kept waiting never gives up sooner than
 * somebody whose calls fail at once. All come back spread over one such pause, since only one is let through.
 */
export function nextProbe(policy: TransportPolicy, call: SuspendedCall): Retry {
  if (call.startsLeft < Math.min(policy.maximumCalls, mostStartsKept))
    return { kind: 'give_up', because: 'starts_used_up' };
  const shareMs = Math.max(1, Math.ceil(policy.backoffTotalMs / policy.maximumCalls));
  const delayMs = Math.max(Math.ceil(call.probeInMs), shareMs) + Math.floor(call.random * shareMs);
  if (delayMs + call.estimateMs > call.leftMs) return { kind: 'give_up', because: 'deadline' };
  return { kind: 'retry', delayMs };
}
