import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type GaugeStore, mostCounted, type StoreGauges } from '../../ports/gauge-store.js';
import type { Tables } from './tables.js';

/** One statement for everything that waits: each part walks an index that holds only what waits, or stops early. */
export function gaugeStore(db: Kysely<Tables>): GaugeStore {
  return {
    async read(at) {
      const { rows } = await sql<StoreGauges>`
        select
          ${counted(sql`select from extractions where state = 'open'`)} as "openExtractions",
          (select min(started_at) from extractions where state = 'open') as "oldestOpenStartedAt",
          ${counted(sql`select from extractions where state = 'open' and deadline_at < ${at}::int8`)}
            as "overdueExtractions",
          ${counted(sql`select from dead_letters where state = 'parked'`)} as "parkedDeadLetters",
          ${counted(sql`select from review_tasks where state = 'open'`)} as "openReviews",
          (select min(created_at) from (
            select created_at from review_tasks where state = 'open' limit ${mostCounted}
          ) open_reviews) as "oldestReviewCreatedAt",
          ${counted(sql`select from (
            select due_at from review_tasks where state = 'open' limit ${mostCounted}
          ) open_reviews where due_at < ${at}::int8`)} as "overdueReviews",
          ${counted(sql`select from webhook_deliveries where state = 'pending'`)} as "pendingDeliveries",
          (select min(created_at) from (
            select created_at from webhook_deliveries where state = 'pending' limit ${mostCounted}
          ) pending) as "oldestDeliveryCreatedAt"`.execute(db);
      const [row] = rows;
      if (row === undefined) throw new Error('Reading the gauges gave no row.');
      return row;
    },

    async repairTraffic(specs, at) {
      return await Promise.all(
        specs.map(async ({ specId, budget }) => {
          const from = at - budget.windowMs;
          const { rows } = await sql<{ primaries: number; repairs: number }>`
            select
              (select coalesce(sum(primaries), 0)::int8 from traffic
                where spec_id = ${specId} and second >= ${Math.ceil(from / 1_000)}::int8) as primaries,
              (select count(*) from permits
                where spec_id = ${specId} and granted and at > ${from}::int8) as repairs`.execute(db);
          return { specId, primaries: rows[0]?.primaries ?? 0, repairs: rows[0]?.repairs ?? 0 };
        }),
      );
    },
  };
}

function counted(rows: RawBuilder<unknown>) {
  return sql`(select count(*) from (${rows} limit ${mostCounted}) counted)`;
}
