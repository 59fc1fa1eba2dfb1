import { createHash, type Hash } from 'node:crypto';
import type { BatchAnswer, RequestKey } from '../ports/idempotency-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import {
  addToBatch,
  type BatchItem,
  type BatchRequest,
  type BatchStarted,
  createBatch,
  findBatch,
  orderOf,
  startBatch,
} from './batches.js';
import { answersKeptMs, claimRequest, requestDiffers } from './request-claim.js';

/** A batch as it comes in: what is asked for, and its documents, piece by piece. */
export interface BatchSubmission {
  readonly request: BatchRequest;
  /** How long the documents may take to arrive; 0: they are here. */
  readonly arrivesWithinMs: number;
  pieces(): AsyncIterable<readonly BatchItem[]>;
}

/** Longer than documents that are here take to be stored: after that their process is gone. */
const lockMs = 60_000;

/**
 * Whole or not at all: a batch whose documents cannot all be used is forgotten, unless it had begun before. Under the
 * sender's own key the same request leads to the same batch, for 24 hours: `once` is answered by the statement that has
 * the batch begin. Documents that are read as they arrive are compared when all of them are read.
 *
 * Two that hand in under one id at once: the later one's documents are the batch, and the other one is told so.
 *
 * Throws ApplicationError `request_in_flight`, `request_differs`, and whatever `createBatch` and `addToBatch` throw; then
 * the key is free again.
 */
export async function handInBatch(
  app: Application,
  submission: BatchSubmission,
  once: RequestKey | null,
): Promise<BatchStarted> {
  if (once === null) return await takeIn(app, submission);
  const { request, arrivesWithinMs } = submission;
  const at = app.now();
  const named = { scope: `${once.scope}/${request.tenant}`, key: once.key };
  const claim = {
    ...{ ...named, at, lapsedBefore: at - answersKeptMs },
    lockedUntil: at + lockMs + arrivesWithinMs,
    fingerprint: fingerprintOf(request),
  };
  const before = await claimRequest(app, claim);
  if (before !== null) {
    if (!('batch' in before)) throw requestDiffers();
    return await answeredBefore(app, submission, before);
  }
  try {
    return await takeIn(app, submission, named);
  } catch (error) {
    // Should this fail as well, the claim lapses by itself.
    await app.store.idempotency.release(claim).catch(() => undefined);
    throw error;
  }
}

async function takeIn(
  app: Application,
  { request, pieces }: BatchSubmission,
  once?: RequestKey,
): Promise<BatchStarted> {
  const { id } = await createBatch(app, request);
  // Whoever handed in under this id before and came to no end is not waited for: a cut connection may look alive.
  const batch = await app.store.batches.collectAnew(id, app.now());
  const isNew = batch.state === 'collecting';
  if (!isNew && once === undefined) return await startBatch(app, id);
  const content = createHash('sha256');
  let count = 0;
  try {
    for await (const piece of pieces()) {
      if (isNew) await addToBatch(app, batch, piece);
      if (once !== undefined) for (const item of piece) digestItem(content, item);
      count += piece.length;
    }
    if (count === 0) throw new ApplicationError('invalid_request', 'The manifest holds no document.');
  } catch (error) {
    await app.store.batches.discard(batch);
    throw error;
  }
  return await startBatch(app, id, {
    ...(isNew ? { collected: batch } : {}),
    ...(once === undefined ? {} : { once: { ...once, content: content.digest('hex') } }),
  });
}

/** The batch there was, as it is now; one whose workflow never started, for a crash came between, is started. */
async function answeredBefore(
  app: Application,
  { pieces }: BatchSubmission,
  { batch: id, content }: BatchAnswer,
): Promise<BatchStarted> {
  const hash = createHash('sha256');
  for await (const piece of pieces()) for (const item of piece) digestItem(hash, item);
  if (hash.digest('hex') !== content) throw requestDiffers();
  const batch = await findBatch(app, id);
  if (batch.state === 'finished') return { kind: 'ended', batch };
  if (batch.state === 'running') await app.engine.startBatch(orderOf(batch));
  return { kind: 'running', batch };
}

/** Of what is asked for, without its documents: the same from a body and from a query. */
function fingerprintOf(request: BatchRequest): string {
  const { tenant, specId, id, name, tags, redrive, budgets } = request;
  const bounds = [budgets.attemptCap, budgets.deadlineMs, budgets.tokenCap, budgets.moneyCap?.amount];
  const whole = [
    ...['batch', tenant, specId, id, name, tags, redrive, request.budgetTokens, request.deadlineMs],
    ...[request.patienceMs, request.inFlight, bounds, budgets.moneyCap?.currency ?? null],
  ];
  return createHash('sha256').update(JSON.stringify(whole)).digest('hex');
}

/** The same however the item was written: as JSON or as a line of a manifest. */
function digestItem(hash: Hash, { document, fileName, tags }: BatchItem): void {
  const bytes = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
  const named =
    document.kind === 'bytes'
      ? [document.mediaType, bytes(document.bytes)]
      : [document.kind === 'stored' ? document.hash : document.sha256];
  hash.update(`${JSON.stringify([named, fileName, tags])}\n`);
}
