import type { Kysely } from 'kysely';
import type { StoredJson } from '../../ports/attempt-store.js';
import type { ReviewStore } from '../../ports/review-store.js';
import { jsonOrNull } from './json.js';
import type { Tables } from './tables.js';

/** Work in progress, one row for each person and review. */
export function reviewDraftStore(db: Kysely<Tables>): Pick<ReviewStore, 'saveDraft' | 'draft'> {
  return {
    async saveDraft({ reviewId, holder, version, values, note, at }) {
      const content = { version, values: jsonOrNull(values), note, at };
      await db.transaction().execute(async (transaction) => {
        // Locked, so that an erasure comes before this or sees the values.
        const task = await transaction
          .selectFrom('review_tasks')
          .select('id')
          .where('id', '=', reviewId)
          .where('erased_at', 'is', null)
          .forShare()
          .executeTakeFirst();
        if (task === undefined) return;
        await transaction
          .insertInto('review_drafts')
          .values({ review: reviewId, holder, ...content })
          .onConflict((conflict) =>
            conflict
              .columns(['review', 'holder'])
              .doUpdateSet(content)
              // Of two tabs the later keystroke counts, in whichever order they arrive.
              .where('review_drafts.at', '<=', at),
          )
          .execute();
      });
    },

    async draft(id, holder) {
      const row = await db
        .selectFrom('review_drafts')
        .selectAll()
        .where('review', '=', id)
        .where('holder', '=', holder)
        .executeTakeFirst();
      if (row === undefined) return null;
      const { version, note, at } = row;
      return { reviewId: id, holder, version, values: row.values as StoredJson, note, at };
    },
  };
}
