import { frozenPriorMs, ofAttempt } from '../domain/estimate.js';
import type { Policy } from '../domain/policy.js';
import type { Application } from './application.js';

/** Long enough for samples, short enough that a slow hour is over in the next one. */
const windowMs = 3_600_000;

/**
 * The policy with its attempt durations as they lately were, within half and twice what the spec declares. Frozen at
 * start: a run decides by what was known then, so that its replay decides the same.
 */
export async function freezePriors(
  app: Pick<Application, 'store' | 'now'>,
  specId: string,
  policy: Policy,
): Promise<Policy> {
  const measured = await app.store.attempts.recentP90Ms(specId, app.now() - windowMs);
  const estimateMs = Array.from({ length: Math.max(policy.estimateMs.length, measured.length) }, (_, index) =>
    frozenPriorMs(ofAttempt(policy.estimateMs, index + 1), measured[index] ?? null),
  );
  return { ...policy, estimateMs };
}
