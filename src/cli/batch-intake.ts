import { createHash } from 'node:crypto';
import type { Application } from '../application/application.js';
import { ApplicationError } from '../application/application-error.js';
import { addToBatch, type BatchItem } from '../application/batches.js';
import { inLanes } from '../application/in-lanes.js';
import type { Batch } from '../ports/batch-store.js';
import type { BatchSource, SourceItem } from './batch-source.js';

/** What a source holds, without its order: the same documents are the same batch, whichever way they are found. */
export interface SourceSurvey {
  readonly documents: number;
  readonly digest: string;
}

const modulus = 2n ** 256n;

/**
 * Goes through a source once and checks that everything can be read, before anything is written.
 * Throws ApplicationError `invalid_request` for the first that cannot, or when there is no document.
 */
export async function survey(source: BatchSource, path: string): Promise<SourceSurvey> {
  let documents = 0;
  let sum = 0n;
  for await (const { item, stamp, tags, fileName } of source.items()) {
    documents += 1;
    const digest = createHash('sha256')
      .update(JSON.stringify([item, stamp, tags, fileName]))
      .digest('hex');
    sum = (sum + BigInt(`0x${digest}`)) % modulus;
  }
  if (documents === 0) throw new ApplicationError('invalid_request', `${path} holds no document.`);
  return { documents, digest: sum.toString(16) };
}

/** Documents, and bytes, that are in memory at once. */
const mostAtOnce = 25;
const mostBytesAtOnce = 32 * 1024 * 1024;
const readsAtOnce = 4;

/** Hands a source in, piece by piece. `onAdded` is told how many it was so far. */
export async function handIn(
  app: Application,
  batch: Batch,
  source: BatchSource,
  onAdded: (documents: number) => void,
): Promise<void> {
  let added = 0;
  let piece: SourceItem[] = [];
  const flush = async () => {
    const items = await inLanes(
      piece,
      readsAtOnce,
      async ({ item, fileName, tags, read }): Promise<BatchItem> => {
        return { item, fileName, tags, document: await read() };
      },
    );
    await addToBatch(app, batch, items);
    added += items.length;
    onAdded(added);
    piece = [];
  };
  let bytes = 0;
  for await (const item of source.items()) {
    if (piece.length === mostAtOnce || (piece.length > 0 && bytes + item.size > mostBytesAtOnce)) {
      await flush();
      bytes = 0;
    }
    piece.push(item);
    bytes += item.size;
  }
  if (piece.length > 0) await flush();
}
