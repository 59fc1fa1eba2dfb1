import { type Kysely, type Selectable, sql } from 'kysely';
import type { ReviewStore, ReviewTask } from '../../ports/review-store.js';
import { decodeCursor, pageRows, toPage } from './cursor.js';
import { beginningWith, theOne } from './prefix.js';
import { reviewDecisionStore } from './review-decisions.js';
import { reviewDraftStore } from './review-drafts.js';
import { reviewLeaseStore } from './review-leases.js';
import { filteredTasks, toTask } from './review-rows.js';
import { reviewTallyStore } from './review-tally.js';
import type { ReviewTaskColumns } from './tables/reviews.js';
import type { Tables } from './tables.js';

export function reviewStore(db: Kysely<Tables>): ReviewStore {
  return {
    ...reviewLeaseStore(db),
    ...reviewDecisionStore(db),
    ...reviewDraftStore(db),
    ...reviewTallyStore(db),

    async find(id) {
      return (await findById(db, id)) ?? (await findByKey(db, id));
    },

    async list({ state = 'open', ...filter }, page) {
      let tasks = filteredTasks(db.selectFrom('review_tasks').selectAll(), filter).where('state', '=', state);
      if (page.cursor !== undefined) {
        const [weight, at, id] = decodeCursor(page.cursor, ['decimal', 'integer', 'text']);
        // The first line is what the index can seek to; the second drops what the page before has shown.
        tasks = tasks.where(sql<boolean>`weight <= ${weight}::numeric
          and (weight < ${weight}::numeric or (created_at, id) > (${at}::int8, ${id}))`);
      }
      const rows = await tasks
        .orderBy('weight', 'desc')
        .orderBy('created_at')
        .orderBy('id')
        .limit(pageRows(page.limit))
        .execute();
      return toPage(rows, page.limit, (row) => [row.weight, row.created_at, row.id], toTask);
    },

    async markEscalated(id, at) {
      await sql`
        with escalated as (
          update review_tasks set escalated_at = ${at}::int8
          where id = ${id} and state = 'open' and escalated_at is null
          returning id, subject, tenant
        )
        insert into review_events (review, subject, tenant, kind, at)
        select id, subject, tenant, 'escalated', ${at}::int8 from escalated`.execute(db);
    },
  };
}

async function findById(db: Kysely<Tables>, prefix: string): Promise<ReviewTask | null> {
  const { rows } = await sql<Selectable<ReviewTaskColumns>>`
    select * from review_tasks where ${beginningWith('id', prefix)}`.execute(db);
  const row = theOne(rows, prefix, ({ id }) => id);
  return row === null ? null : toTask(row);
}

/** A key may have been asked about twice, as exhausted and as a sample: the open one is meant, else the newer one. */
async function findByKey(db: Kysely<Tables>, prefix: string): Promise<ReviewTask | null> {
  const openElseNewest = sql`, (state = 'open') desc, created_at desc`;
  const { rows } = await sql<Selectable<ReviewTaskColumns>>`
    select distinct on (key) * from review_tasks where ${beginningWith('key', prefix, openElseNewest)}`.execute(
    db,
  );
  const row = theOne(rows, prefix, ({ key }) => key);
  return row === null ? null : toTask(row);
}
