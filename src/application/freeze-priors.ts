import { frozenPriorMs, ofAttempt } from '../domain/estimate.js';
import type { Policy } from '../domain/policy.js';
import type { Store } from '../ports/store.js';
import type { Application } from './application.js';
import { remembered } from './remembered.js';

/** Long enough for samples, short enough that a slow hour is over in the next one. */
const windowMs = 3_600_000;
/** An hour's 90th percentile does not move within seconds, and reading it is the dearest question of a submission. */
const measured = remembered<Store['attempts'], string, readonly (number | null)[]>(5_000);

/**
 * The policy with its attempt durations as they lately were, within half and twice what the spec declares. Frozen at
 * start: a run decides by what was known then, so that its replay decides the same.
 */
export async function freezePriors(
  app: Pick<Application, 'store' | 'now'>,
  specId: string,
  policy: Policy,
): Promise<Policy> {
  const { attempts } = app.store;
  const lately = await measured(attempts, specId, app.now(), () =>
    attempts.recentP90Ms(specId, app.now() - windowMs),
  );
  const estimateMs = Array.from({ length: Math.max(policy.estimateMs.length, lately.length) }, (_, index) =>
    frozenPriorMs(ofAttempt(policy.estimateMs, index + 1), lately[index] ?? null),
  );
  return { ...policy, estimateMs };
}
