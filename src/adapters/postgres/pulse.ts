import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.js';

/** The newest of everything that pages show, each read from the end of an index. */
export async function pulse(db: Kysely<Tables>, tenant: string | null): Promise<string> {
  const ofTenant = tenant === null ? sql`` : sql`where tenant = ${tenant}`;
  const andTenant = tenant === null ? sql`` : sql`and tenant = ${tenant}`;
  const { rows } = await sql<{ pulse: string }>`
    select concat_ws('.',
      (select started_at from extractions ${ofTenant} order by started_at desc limit 1),
      (select closed_at from extractions where closed_at is not null ${andTenant} order by closed_at desc limit 1),
      (select number from review_events ${ofTenant} order by number desc limit 1),
      (select max(call_id) from calls),
      (select taken_at from dead_letters where taken_at is not null ${andTenant} order by taken_at desc limit 1),
      -- As many rows as workers and models.
      (select count(*) || '/' || count(*) filter (where state = 'closed') || '/' || max(changed_at) from breakers)
    ) as pulse`.execute(db);
  return rows[0]?.pulse ?? '';
}
