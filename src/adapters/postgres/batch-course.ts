import { type Kysely, sql } from 'kysely';
import type { BatchCourse } from '../../ports/batch-store.js';
import type { Tables } from './tables.js';

/** What the own runs of a batch burnt over time, and when its cap changed. */
export async function courseOfBatch(
  db: Kysely<Tables>,
  id: string,
  parts: number,
  at: number,
): Promise<BatchCourse> {
  const { rows: ended } = await sql<BatchCourse['ended'][number]>`
    with stretch as (
      select began_at as from_at, greatest(coalesce(ended_at, ${at}::int8), began_at + 1) as until_at
      from batches where id = ${id} and began_at is not null
    )
    select max(e.closed_at) as at, count(*) as documents, sum(d.tokens)::int8 as tokens
    from stretch, batch_documents d join extractions e on e.key = d.key and e.run = d.run
    where d.batch_id = ${id} and d.part = 'own' and d.state = 'ended'
    group by width_bucket(e.closed_at, from_at, until_at, ${parts}::int4)
    order by 1`.execute(db);
  const caps = await db
    .selectFrom('batch_caps')
    .select(['at', 'cap'])
    .where('batch_id', '=', id)
    .orderBy('at')
    .execute();
  return { ended, caps };
}
