import { nothingMended, type Reconciled } from '../domain/reconciliation.js';
import type { Batch } from '../ports/batch-store.js';
import type { Application } from './application.js';
import { orderOf } from './batches.js';
import { fatesOf, pageOf, type ReconcileLook } from './reconcile-look.js';

/** Batches that run or stop: each has a workflow that begins its documents and writes down how they end. */
export async function reconcileBatches(app: Application, look: ReconcileLook): Promise<Reconciled> {
  const page = await app.store.batches.list({ state: ['running', 'stopping'] }, pageOf(look));
  const begun = page.items.filter(({ beganAt }) => beganAt !== null && beganAt < look.before);
  const count = await fatesOf(look, begun, (batch) => reconcileBatch(app, batch, look));
  const mended = { ...nothingMended, restartedBatches: count('restarted'), failed: count('failed') };
  return { mended, cursor: page.nextCursor };
}

/** Its rows say what is left to do. One that was to stop begins nothing: its workflow only sees to its end. */
async function reconcileBatch(
  app: Application,
  { id }: Batch,
  { mends }: ReconcileLook,
): Promise<'carried' | 'restarted'> {
  if ((await app.engine.standingOfBatch(id)) === 'running') return 'carried';
  // Whoever ends properly notes it first: read now, the row says whether that happened.
  const batch = await app.store.batches.find(id);
  if (batch?.state !== 'running' && batch?.state !== 'stopping') return 'carried';
  if (mends) await app.engine.startBatch(orderOf(batch));
  return 'restarted';
}
