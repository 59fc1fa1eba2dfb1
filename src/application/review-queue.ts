import { type Interval, wilsonInterval } from '../domain/wilson-interval.js';
import type { Page, PageRequest } from '../ports/page.js';
import type { ReviewFilter, ReviewState } from '../ports/review-store.js';
import type { Desk } from './claim-review.js';
import { instantOrNull } from './views/instant.js';
import { type ListedReview, summariseReview } from './views/review-view.js';

const dayMs = 86_400_000;
/** What came in during the last week says what comes in on a day. */
const inflowWindowMs = 7 * dayMs;
/** Verdicts on samples of the last month make the defect rate. */
const auditWindowMs = 30 * dayMs;
/** Until enough decisions were measured: 25 reviews in an hour, as the capacity plan assumes. */
const assumedMinutes = 2.4;
const fewestDecisions = 10;

/** What waits, and how many hours of people it takes. */
export interface ReviewQueue {
  readonly open: number;
  readonly free: number;
  readonly held: number;
  readonly overdue: number;
  readonly escalated: number;
  /** Sampled records among the open ones. */
  readonly samples: number;
  /** When the first lease ends; null when none is held. */
  readonly nextFreeAt: string | null;
  readonly inflowPerDay: number;
  /** From claim to decision, over the newest decisions; `assumed` while fewer than ten were measured. */
  readonly minutesEach: number;
  readonly minutesFrom: 'measured' | 'assumed';
  /** Inflow x minutes. */
  readonly hoursPerDay: number;
  /** Open x minutes. */
  readonly backlogHours: number;
  readonly audit: Audit;
}

/** Verdicts on sampled records of the last 30 days: how many of what verified was wrong all the same. */
export interface Audit {
  readonly decided: number;
  readonly defects: number;
  /** Null while nothing was decided. */
  readonly defectRate: number | null;
  /** Wilson interval at 95 %. */
  readonly interval: Interval;
  /** The same by how many attempts the record took: late attempts are wrong more often. */
  readonly byAttempts: readonly {
    readonly attempts: number;
    readonly decided: number;
    readonly defects: number;
  }[];
}

type QueueFilter = Pick<ReviewFilter, 'tenant' | 'specId'>;

/** One page of the queue: by amount, then age. Leases that ran out are let go first, so that what is free reads as free. */
export async function listReviews(
  { store, now }: Desk,
  filter: Omit<ReviewFilter, 'dueBefore'> & { readonly state?: ReviewState; readonly overdue?: boolean },
  page: PageRequest,
): Promise<Page<ListedReview>> {
  const at = now();
  await store.reviews.expireLeases(at);
  const { overdue, ...rest } = filter;
  const tasks = await store.reviews.list(overdue === true ? { ...rest, dueBefore: at } : rest, page);
  const names = await store.extractions.fileNames(tasks.items.map(({ key }) => key));
  const items = tasks.items.map((task) => ({
    ...summariseReview(task, at),
    ...{ fileName: names.get(task.key) ?? null, documentHash: task.documentHash },
  }));
  return { items, nextCursor: tasks.nextCursor };
}

/** The queue in numbers. */
export async function readQueue({ store, now }: Desk, filter: QueueFilter): Promise<ReviewQueue> {
  const at = now();
  await store.reviews.expireLeases(at);
  const [tally, verdicts] = await Promise.all([
    store.reviews.tally(filter, at, at - inflowWindowMs),
    store.reviews.sampleVerdicts(filter, at - auditWindowMs),
  ]);
  const { open, held, overdue, escalated, samples, nextFreeAt, decisions } = tally;
  // A queue that is younger than the window is measured over its own age, of a day at least.
  const seenMs = Math.min(inflowWindowMs, Math.max(dayMs, at - (tally.firstOpenedAt ?? at)));
  const inflowPerDay = (tally.opened * dayMs) / seenMs;
  const isMeasured = decisions >= fewestDecisions;
  const minutesEach = isMeasured ? tally.decidingMs / decisions / 60_000 : assumedMinutes;
  return {
    ...{ open, free: open - held, held, overdue, escalated, samples, nextFreeAt: instantOrNull(nextFreeAt) },
    ...{ inflowPerDay, minutesEach, minutesFrom: isMeasured ? 'measured' : 'assumed' },
    hoursPerDay: (inflowPerDay * minutesEach) / 60,
    backlogHours: (open * minutesEach) / 60,
    audit: auditOf(verdicts),
  };
}

function auditOf(byAttempts: Audit['byAttempts']): Audit {
  const decided = byAttempts.reduce((sum, verdicts) => sum + verdicts.decided, 0);
  const defects = byAttempts.reduce((sum, verdicts) => sum + verdicts.defects, 0);
  const defectRate = decided === 0 ? null : defects / decided;
  return { decided, defects, defectRate, interval: wilsonInterval(defects, decided), byAttempts };
}
