import {
  addMended,
  type Mended,
  nothingMended,
  type ReconcileAsk,
  type Reconciled,
  reconcileParts,
} from '../domain/reconciliation.js';
import type { Extraction } from '../ports/extraction-store.js';
import type { ReviewTask } from '../ports/review-store.js';
import type { Application } from './application.js';
import { inLanes } from './in-lanes.js';
import { inputOf } from './start-run.js';

/** Whatever is younger may still be on its way from the store to the engine. */
const graceMs = 15_000;
const pageLimit = 100;
const askedAtOnce = 10;

export interface ReconcileOptions {
  /** False: only count what is astray. Default true. */
  readonly mends?: boolean;
  readonly graceMs?: number;
}

/**
 * Compares one page of what the store holds open with what the engine carries, and puts right what is astray. Safe at any
 * time and by several at once: every change is a compare-and-set in the store, or a start that finds itself done.
 */
export async function reconcile(
  app: Application,
  { part, cursor }: ReconcileAsk,
  options: ReconcileOptions = {},
): Promise<Reconciled> {
  switch (part) {
    case 'runs':
      return reconcileRuns(app, cursor, options);
    case 'reviews':
      return reconcileReviews(app, cursor, options);
    case 'letters':
      return settleLetters(app, options);
  }
}

/** All of it, page by page. */
export async function reconcileAll(app: Application, options: ReconcileOptions = {}): Promise<Mended> {
  let mended = nothingMended;
  for (const part of reconcileParts) {
    let cursor: string | null = null;
    do {
      const page: Reconciled = await reconcile(app, { part, cursor }, options);
      mended = addMended(mended, page.mended);
      cursor = page.cursor;
    } while (cursor !== null);
  }
  return mended;
}

async function reconcileRuns(
  app: Application,
  cursor: string | null,
  options: ReconcileOptions,
): Promise<Reconciled> {
  const startedBefore = app.now() - (options.graceMs ?? graceMs);
  const page = await app.store.extractions.list(
    { state: 'open', startedBefore },
    { limit: pageLimit, ...(cursor === null ? {} : { cursor }) },
  );
  const fates = await inLanes(page.items, askedAtOnce, (row) => reconcileRun(app, row, options));
  const closedRuns = fates.filter((fate) => fate === 'closed').length;
  const restartedRuns = fates.filter((fate) => fate === 'restarted').length;
  return { mended: { ...nothingMended, closedRuns, restartedRuns }, cursor: page.nextCursor };
}

async function reconcileRun(
  app: Application,
  { key, run }: Extraction,
  { mends = true }: ReconcileOptions,
): Promise<'carried' | 'closed' | 'restarted'> {
  const standing = await app.engine.standingOfRun({ key, run });
  if (standing === 'running') return 'carried';
  // Whoever ends properly closes the row first: read now, it says whether that happened.
  const row = await app.store.extractions.find(key, run);
  if (row?.state !== 'open') return 'carried';
  if (standing === 'missing' && row.deadlineAt > app.now()) {
    if (mends) await app.engine.start(inputOf(row, app.reviewSlaMs));
    return 'restarted';
  }
  if (mends) await closeLost(app, row);
  return 'closed';
}

/** It goes where systemic reasons go, whatever the spec's routes say: nobody can tell what the document had to do with it. */
async function closeLost(app: Application, row: Extraction): Promise<void> {
  const attempts = await app.store.attempts.list(row.key, row.run);
  const result = attempts.at(-1)?.report.result;
  await app.store.extractions.land({
    ref: row,
    ending: {
      kind: 'unverified',
      attempts: attempts.length,
      reason: 'internal_error',
      failureClass: result?.kind === 'rejected' ? result.failureClass : null,
      diagnosis: null,
      repliesRead: attempts.length,
    },
    at: app.now(),
    route: 'dead_letter',
    bestAttempt: null,
    amount: null,
    reviewDueAt: null,
  });
}

async function reconcileReviews(
  app: Application,
  cursor: string | null,
  options: ReconcileOptions,
): Promise<Reconciled> {
  const before = app.now() - (options.graceMs ?? graceMs);
  const page = await app.store.reviews.list(
    // A sample has no clock.
    { kind: 'exhausted', state: 'open' },
    { limit: pageLimit, ...(cursor === null ? {} : { cursor }) },
  );
  const settled = page.items.filter(({ createdAt }) => createdAt < before);
  const fates = await inLanes(settled, askedAtOnce, (task) => reconcileReview(app, task, options));
  const restartedReviews = fates.filter((fate) => fate === 'restarted').length;
  return { mended: { ...nothingMended, restartedReviews }, cursor: page.nextCursor };
}

/**
 * A review's workflow may be gone because somebody ended it, because its run was ended before it could start it, or
 * because a second question came up while the first one's workflow was about to close.
 */
async function reconcileReview(
  app: Application,
  { id, subject }: ReviewTask,
  { mends = true }: ReconcileOptions,
): Promise<'carried' | 'restarted'> {
  if ((await app.engine.standingOfReview(subject)) === 'running') return 'carried';
  const task = await app.store.reviews.find(id);
  if (task?.state !== 'open') return 'carried';
  const { tenant, specId, dueAt } = task;
  const slaMs = Math.max(1, (dueAt ?? 0) - app.now());
  if (mends) await app.engine.startReview({ subject, tenant, specId, slaMs });
  return 'restarted';
}

async function settleLetters(app: Application, options: ReconcileOptions): Promise<Reconciled> {
  if (options.mends === false) return { mended: nothingMended, cursor: null };
  const { parked, recovered, more } = await app.store.deadLetters.settle(
    app.now() - (options.graceMs ?? graceMs),
  );
  const mended = { ...nothingMended, parkedLetters: parked, recoveredLetters: recovered };
  return { mended, cursor: more ? 'more' : null };
}
