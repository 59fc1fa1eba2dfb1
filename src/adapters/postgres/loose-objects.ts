import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { ObjectStorage } from '../../ports/object-storage.js';
import { StoreUnavailable } from '../../ports/store.js';
import type { Tables } from './tables.js';

/** After this an upload that nothing came of is removed. */
const uploadMs = 3_600_000;
/** An upload must be named by then; the other half hour is for clocks that differ. */
const namedWithinMs = 1_800_000;
/** Removed in one step: some seconds of requests. */
const objectsAtOnce = 100;

/**
 * Puts bytes under a key of their own and lets `name` write the row that names it. Whatever dies in between, the object
 * is either named or removed later: it is on the list of loose objects from before the upload until the commit.
 *
 * @param name answers false when another object was named instead; this one is then loose for good.
 */
export async function uploadObject(
  db: Kysely<Tables>,
  objects: ObjectStorage,
  upload: { readonly folder: string; readonly bytes: Uint8Array; readonly at: number },
  name: (transaction: Transaction<Tables>, key: string) => Promise<boolean>,
): Promise<void> {
  // Never a key that was used before: its object may be about to be removed.
  const key = `${upload.folder}/${randomUUID()}`;
  const dueAt = upload.at + uploadMs;
  const startedAt = performance.now();
  await db.insertInto('loose_objects').values({ object_key: key, due_at: dueAt }).execute();
  await objects.put(key, upload.bytes);
  if (performance.now() - startedAt > namedWithinMs)
    throw new StoreUnavailable('Object storage took half an hour for one document; try again.');
  await db.transaction().execute(async (transaction) => {
    if (await name(transaction, key))
      await transaction.deleteFrom('loose_objects').where('object_key', '=', key).execute();
    else
      await transaction
        .updateTable('loose_objects')
        .set({ due_at: 0 })
        .where('object_key', '=', key)
        .execute();
  });
}

/** Removes what is due, some at a time; how many. Safe to run by several at once. */
export async function removeLooseObjects(
  db: Kysely<Tables>,
  objects: ObjectStorage | null,
  at: number,
): Promise<number> {
  if (objects === null) return 0;
  const due = await db
    .selectFrom('loose_objects')
    .select('object_key')
    .where('due_at', '<=', at)
    .orderBy('due_at')
    .orderBy('object_key')
    .limit(objectsAtOnce)
    .execute();
  // The object first: a row that is left behind is tried again, an object without a row never.
  for (const { object_key } of due) {
    await objects.remove(object_key);
    await db.deleteFrom('loose_objects').where('object_key', '=', object_key).execute();
  }
  return due.length;
}
