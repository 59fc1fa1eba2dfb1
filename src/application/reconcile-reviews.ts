import { nothingMended, type Reconciled } from '../domain/reconciliation.js';
import type { ReviewTask } from '../ports/review-store.js';
import type { Application } from './application.js';
import { fatesOf, pageOf, type ReconcileLook } from './reconcile-look.js';

/** Open questions to a person: each has a workflow that keeps its time. */
export async function reconcileReviews(app: Application, look: ReconcileLook): Promise<Reconciled> {
  const page = await app.store.reviews.list(
    // A sample has no clock.
    { kind: 'exhausted', state: 'open', withEvaluations: true },
    pageOf(look),
  );
  const settled = page.items.filter(({ createdAt }) => createdAt < look.before);
  const count = await fatesOf(look, settled, (task) => reconcileReview(app, task, look));
  const mended = { ...nothingMended, restartedReviews: count('restarted'), failed: count('failed') };
  return { mended, cursor: page.nextCursor };
}

/**
 * A review's workflow may be gone because somebody ended it, because its run was ended before it could start it, or
 * because a second question came up while the first one's workflow was about to close.
 */
async function reconcileReview(
  app: Application,
  { id, subject }: ReviewTask,
  { mends }: ReconcileLook,
): Promise<'carried' | 'restarted'> {
  if ((await app.engine.standingOfReview(subject)) === 'running') return 'carried';
  const task = await app.store.reviews.find(id);
  if (task?.state !== 'open') return 'carried';
  const { tenant, specId, dueAt } = task;
  const slaMs = Math.max(1, (dueAt ?? 0) - app.now());
  if (mends) await app.engine.startReview({ subject, tenant, specId, slaMs });
  return 'restarted';
}

/** A workflow whose run was ended from outside may never have told its review that the question was settled. */
export async function endReviews(app: Application, look: ReconcileLook): Promise<Reconciled> {
  const { limit, cursor } = pageOf(look);
  const waiting = await app.engine.waitingReviews(cursor === undefined ? look.before : Number(cursor), limit);
  const count = await fatesOf(look, waiting, async ({ subject }) => {
    const task = await app.store.reviews.find(subject);
    if (task?.state === 'open') return 'asked';
    if (look.mends) await app.engine.withdrawReview(subject);
    return 'ended';
  });
  const mended = { ...nothingMended, endedReviews: count('ended'), failed: count('failed') };
  const last = waiting.length < limit ? undefined : waiting.at(-1);
  return { mended, cursor: last === undefined ? null : String(last.startedAt) };
}
