import type { ExtractionState } from './state.js';

/**
 * How long the next attempt is expected to take, in whole ms: the frozen prior for its index, or this document's own
 * slowest attempt if larger, scaled by new over old token ceiling when the last reply was cut off.
 */
export function nextEstimateMs(state: ExtractionState): number {
  const prior = ofAttempt(state.policy.estimateMs, state.attempts + 1);
  return Math.ceil((Math.max(prior, state.slowestMs) * state.maxTokens) / state.cutAtTokens);
}

/**
 * The prior to freeze into a run's policy: a recent p90 (ms), held within half and twice the declared value, so that
 * a slow hour cannot refuse every first attempt and starve itself of samples. Without a measurement, the declared value.
 */
export function frozenPriorMs(declaredMs: number, measuredP90Ms: number | null): number {
  if (measuredP90Ms === null) return declaredMs;
  return Math.round(Math.min(declaredMs * 2, Math.max(declaredMs / 2, measuredP90Ms)));
}

/** The entry for attempt 1, 2, ...; the last entry repeats. Throws RangeError on an empty list. */
export function ofAttempt<T>(entries: readonly T[], attempt: number): T {
  const entry = entries[Math.min(attempt, entries.length) - 1];
  if (entry === undefined) throw new RangeError('A per-attempt list of the policy must not be empty.');
  return entry;
}
