import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { ObjectStorage } from '../../ports/object-storage.js';
import { type DocumentStore, StoreUnavailable } from '../../ports/store.js';
import { uploadObject } from './loose-objects.js';
import type { Tables } from './tables.js';

/** @param objects where new documents' bytes go; null: into the database. Either way all of them can be read. */
export function documentStore(db: Kysely<Tables>, objects: ObjectStorage | null): DocumentStore {
  return {
    async put({ tenant, mediaType, bytes, at }) {
      const hash = sha256(bytes);
      const label = { media_type: mediaType, stored_at: at };
      if (objects === null) {
        await insertDocument(db, { tenant, hash, ...label, bytes: Buffer.from(bytes) });
        return hash;
      }
      const known = await db
        .updateTable('documents')
        .set({ media_type: mediaType, stored_at: sql`greatest(stored_at, ${at}::int8)` })
        .where('tenant', '=', tenant)
        .where('hash', '=', hash)
        .executeTakeFirst();
      if (known.numUpdatedRows > 0n) return hash;
      await uploadObject(
        db,
        objects,
        { folder: `${tenant}/${hash}`, bytes, at },
        async (transaction, key) => {
          const kept = await insertDocument(transaction, { tenant, hash, ...label, object_key: key });
          return kept === key;
        },
      );
      return hash;
    },

    async stored(tenant, hashes) {
      const rows = await db
        .selectFrom('documents')
        .select('hash')
        .where('tenant', '=', tenant)
        .where(sql<boolean>`hash = any(${[...hashes]}::text[])`)
        .execute();
      return new Set(rows.map(({ hash }) => hash));
    },

    async touch(tenant, hash, at) {
      const known = await db
        .updateTable('documents')
        .set({ stored_at: sql`greatest(stored_at, ${at}::int8)` })
        .where('tenant', '=', tenant)
        .where('hash', '=', hash)
        .executeTakeFirst();
      return known.numUpdatedRows > 0n;
    },

    async load(tenant, hash) {
      const find = () =>
        db
          .selectFrom('documents')
          .select(['media_type', 'bytes', 'object_key'])
          .where('tenant', '=', tenant)
          .where('hash', '=', hash)
          .executeTakeFirst();
      const row = await find();
      if (row === undefined) return null;
      if (row.object_key === null) return { mediaType: row.media_type, bytes: row.bytes ?? new Uint8Array() };
      if (objects === null)
        throw new StoreUnavailable('This document lies in object storage: set ENDSTOP_DOCUMENTS_URL.');
      const bytes = await objects.get(row.object_key);
      if (bytes !== null && sha256(bytes) === hash) return { mediaType: row.media_type, bytes };
      // Erased, and perhaps handed in again, between the two looks?
      const now = await find();
      if (now === undefined) return null;
      if (now.object_key !== row.object_key)
        throw new StoreUnavailable('This document was handed in anew just now; try again.');
      throw new StoreUnavailable(
        bytes === null
          ? 'Object storage has lost the bytes of this document; hand it in again after erasing it.'
          : 'Object storage holds other bytes than those that were handed in; hand the document in again after erasing it.',
      );
    },
  };
}

type NewDocument = { tenant: string; hash: string; media_type: string; stored_at: number } & (
  | { bytes: Buffer }
  | { object_key: string }
);

/** Answers with where the document's object lies: an earlier one's stays. */
async function insertDocument(db: Kysely<Tables>, document: NewDocument): Promise<string | null> {
  const row = await db
    .insertInto('documents')
    .values(document)
    // The same bytes under a corrected label: what they are said to be now is what the next run reads. And they are
    // as old as their last submission, so that no sweep takes them from under the run that comes now.
    .onConflict((conflict) =>
      conflict.columns(['tenant', 'hash']).doUpdateSet({
        media_type: document.media_type,
        stored_at: sql`greatest(documents.stored_at, ${document.stored_at}::int8)`,
      }),
    )
    .returning('object_key')
    .executeTakeFirstOrThrow();
  return row.object_key;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
