import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { DocumentStore } from '../../ports/store.js';
import type { Tables } from './tables.js';

export function documentStore(db: Kysely<Tables>): DocumentStore {
  return {
    async put({ tenant, mediaType, bytes, at }) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      await db
        .insertInto('documents')
        .values({ tenant, hash, media_type: mediaType, bytes: Buffer.from(bytes), stored_at: at })
        // The same bytes under a corrected label: what they are said to be now is what the next run reads. And they are
        // as old as their last submission, so that no sweep takes them from under the run that comes now.
        .onConflict((conflict) =>
          conflict.columns(['tenant', 'hash']).doUpdateSet({
            media_type: mediaType,
            stored_at: sql`greatest(documents.stored_at, ${at}::int8)`,
          }),
        )
        .execute();
      return hash;
    },

    async load(tenant, hash) {
      const row = await db
        .selectFrom('documents')
        .select(['media_type', 'bytes'])
        .where('tenant', '=', tenant)
        .where('hash', '=', hash)
        .executeTakeFirst();
      return row === undefined ? null : { mediaType: row.media_type, bytes: row.bytes };
    },
  };
}
