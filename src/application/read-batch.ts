import { setTimeout } from 'node:timers/promises';
import type { Batch } from '../ports/batch-store.js';
import type { Page, PageRequest } from '../ports/page.js';
import type { Application } from './application.js';
import { findBatch } from './batches.js';
import { inLanes } from './in-lanes.js';
import {
  type BatchCourseView,
  type BatchDocumentView,
  type BatchView,
  viewBatch,
  viewBatchCourse,
  viewBatchDocument,
} from './views/batch-view.js';

type Reading = Pick<Application, 'store' | 'engine'>;

/** How a batch fares. Throws ApplicationError `not_found`. */
export async function readBatch(app: Reading, id: string): Promise<BatchView> {
  return (await readBatchAndRisk(app, id)).batch;
}

/** The same with the tokens that its own runs under way have used so far: what cancelling them would lose. */
export async function readBatchAndRisk(
  app: Reading,
  id: string,
): Promise<{ readonly batch: BatchView; readonly tokensAtRisk: number }> {
  const batch = await findBatch(app, id);
  const count = await app.store.batches.count(batch.id, batch.cap);
  return {
    batch: viewBatch(batch, count, await isStopped(app, batch)),
    tokensAtRisk: Math.max(0, count.tokens - count.completedTokens),
  };
}

/** Parts of a course: as many as can be told apart in a drawing. */
const courseParts = 60;

/** What it burnt over time, and how its cap came down. Throws ApplicationError `not_found`; null before it begins. */
export async function readBatchCourse(
  app: Pick<Application, 'store' | 'now'>,
  id: string,
): Promise<BatchCourseView | null> {
  const batch = await findBatch(app, id);
  const now = app.now();
  return viewBatchCourse(batch, await app.store.batches.course(batch.id, courseParts, now), now);
}

/** Newest first, as they stand in the store: whether a workflow carries them is only said of one that is asked for. */
export async function listBatches(
  { store }: Pick<Application, 'store'>,
  filter: Parameters<Application['store']['batches']['list']>[0],
  page: PageRequest,
): Promise<Page<BatchView>> {
  const { items, nextCursor } = await store.batches.list(filter, page);
  const views = await inLanes(items, countsAtOnce, async (batch) =>
    viewBatch(batch, await store.batches.count(batch.id, batch.cap)),
  );
  return { items: views, nextCursor };
}

const countsAtOnce = 4;

/** Its workflow was ended from outside. The row is read again, since it may just have come to its end. */
async function isStopped({ store, engine }: Reading, { id, state }: Batch): Promise<boolean> {
  if (state !== 'running' && state !== 'stopping') return false;
  if ((await engine.standingOfBatch(id)) === 'running') return false;
  const again = await store.batches.find(id);
  return again?.state === 'running' || again?.state === 'stopping';
}

/** What is new of a batch. Places are in order: whoever names the last one he saw is told what came after. */
export type BatchNews =
  | { readonly kind: 'document'; readonly place: number; readonly document: BatchDocumentView }
  | { readonly kind: 'progress'; readonly place: number; readonly batch: BatchView };

const lookMs = 500;
/** Read at once. */
const mostNews = 200;

/**
 * Every document that ends, in order, from the one after this place on (0: from the first), and how the batch fares
 * whenever that has changed. Ends when the batch does not run any more, with how it fares then.
 * Throws ApplicationError `not_found`.
 */
export async function* followBatch(
  app: Reading,
  name: string,
  after = 0,
  signal?: AbortSignal,
): AsyncGenerator<BatchNews> {
  const { id } = await findBatch(app, name);
  let place = after;
  let told = '';
  while (signal?.aborted !== true) {
    // Read before the documents: once it has ended, none ends after them.
    const batch = await readBatch(app, id);
    for (let isMore = true; isMore; ) {
      const ended = await app.store.batches.endedAfter(id, place, mostNews);
      for (const document of ended) {
        place = document.ended ?? place;
        yield { kind: 'document', place, document: viewBatchDocument(document) };
      }
      isMore = ended.length === mostNews;
    }
    const text = JSON.stringify(batch);
    if (text !== told) yield { kind: 'progress', place, batch };
    told = text;
    if (batch.state !== 'running' && batch.state !== 'stopping') return;
    await setTimeout(lookMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }
}
