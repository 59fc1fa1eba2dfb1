import type { ReportedBreaker } from '../ports/breaker-store.js';
import type { Application } from './application.js';
import { breakersToldEveryMs } from './breaker-reports.js';

/** A worker that missed three times is gone, or cut off from the store: how its breakers are is not known. */
const lostMs = 3 * breakersToldEveryMs;

/** The breakers that workers told of. */
export interface BreakerStandings {
  /** Open or half-open by the word of a worker that is there. */
  readonly open: readonly ReportedBreaker[];
  readonly closed: readonly ReportedBreaker[];
  /** The last that was heard of them is that they were not closed; their workers have not been heard of since. */
  readonly lost: readonly ReportedBreaker[];
}

/** A worker appears once it made a call, and goes when it leaves in order. */
export async function breakerStandings({
  store,
  now,
}: Pick<Application, 'store' | 'now'>): Promise<BreakerStandings> {
  const told = await store.breakers.list();
  const at = now();
  const isHeard = ({ seenAt }: ReportedBreaker) => at - seenAt <= lostMs;
  return {
    open: told.filter((breaker) => isHeard(breaker) && breaker.state !== 'closed'),
    closed: told.filter((breaker) => isHeard(breaker) && breaker.state === 'closed'),
    lost: told.filter((breaker) => !isHeard(breaker) && breaker.state !== 'closed'),
  };
}
