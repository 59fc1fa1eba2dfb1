import { type Kysely, sql } from 'kysely';
import { permitFits } from '../../domain/repair-budget.js';
import type { RepairTraffic, TrafficStore } from '../../ports/store.js';
import { retried } from './retry.js';
import type { Tables } from './tables.js';

/** Seconds older than this are of no window's interest. */
const keptMs = 24 * 3_600_000;

/**
 * Permits are counted to the millisecond. Primary calls are counted by whole seconds, without the one that the
 * window cuts: the share is never exceeded, and at most one second's calls in five minutes are left out.
 * There is no upper end, so that a caller whose clock lags counts what the others already took.
 */
export function trafficStore(db: Kysely<Tables>): TrafficStore {
  return {
    takePermit({ ref, attempt, budget, at }) {
      const from = at - budget.windowMs;
      return retried(() =>
        db.transaction().execute(async (transaction) => {
          // Everyone who asks for this spec waits here. The counts below must be statements of their own: a
          // statement sees what was committed when it began, not what a lock it waited for let through.
          await transaction
            .insertInto('repair_gates')
            .values({ spec_id: ref.specId })
            .onConflict((conflict) =>
              conflict.column('spec_id').doUpdateSet((row) => ({ spec_id: row.ref('excluded.spec_id') })),
            )
            .execute();
          const seen = await transaction
            .selectNoFrom((query) => [
              query
                .selectFrom('permits')
                .select('granted')
                .where('key', '=', ref.key)
                .where('run', '=', ref.run)
                .where('attempt', '=', attempt)
                .as('answer'),
              query
                .selectFrom('permits')
                .select((permits) => permits.fn.countAll<number>().as('count'))
                .where('spec_id', '=', ref.specId)
                .where('granted', 'is', true)
                .where('at', '>', from)
                .as('repairs'),
              query
                .selectFrom('traffic')
                .select((calls) =>
                  calls.fn.coalesce(calls.fn.sum<string>('primaries'), calls.lit(0)).as('sum'),
                )
                .where('spec_id', '=', ref.specId)
                .where('second', '>=', Math.ceil(from / 1_000))
                .as('primaries'),
              paused(ref.specId).as('paused'),
            ])
            .executeTakeFirstOrThrow();
          if (seen.answer !== null) return seen.answer;
          const isPaused = seen.paused;
          const granted =
            !isPaused &&
            permitFits(budget, { primaries: Number(seen.primaries), repairs: seen.repairs ?? 0 });
          const deniedBecause = granted ? null : isPaused ? 'paused' : 'budget';
          await transaction
            .with('pruned', (query) =>
              query
                .deleteFrom('traffic')
                .where('spec_id', '=', ref.specId)
                .where('second', '<', Math.floor(Math.min(from, at - keptMs) / 1_000)),
            )
            .insertInto('permits')
            .values({
              key: ref.key,
              run: ref.run,
              attempt,
              spec_id: ref.specId,
              granted,
              denied_because: deniedBecause,
              at,
            })
            .execute();
          return granted;
        }),
      );
    },

    switchRepairs: ({ specId, paused, actor, reason, at }) =>
      retried(() =>
        db.transaction().execute(async (transaction) => {
          // Whoever is granted a permit at this moment is let go first, also the first of a spec, whose gate is not seen yet.
          await sql`lock table repair_gates in share mode`.execute(transaction);
          await transaction
            .insertInto('repair_switches')
            .values({ spec_id: specId, paused, actor, reason, at })
            .execute();
        }),
      ),

    async switches() {
      const rows = await db
        .selectFrom('repair_switches')
        .distinctOn('spec_id')
        .selectAll()
        .orderBy('spec_id')
        .orderBy('number', 'desc')
        .execute();
      return rows.map(({ spec_id, paused, actor, reason, at }) => ({
        specId: spec_id,
        paused,
        actor,
        reason,
        at,
      }));
    },

    async repairTraffic(specId, since) {
      const { rows } = await sql<RepairTraffic>`
        select
          (select coalesce(sum(primaries), 0)::int8 from traffic
            where spec_id = ${specId} and second >= ${Math.ceil(since / 1_000)}) as "primaries",
          (select count(*) from permits where spec_id = ${specId} and granted and at > ${since}) as "granted",
          count(*) filter (where denied_because is distinct from 'paused') as "deniedByBudget",
          count(*) filter (where denied_because = 'paused') as "deniedByPause"
        from permits where spec_id = ${specId} and not granted and at > ${since}`.execute(db);
      const [counts] = rows;
      if (counts === undefined) throw new Error('A count without a row.');
      return counts;
    },
  };
}

/** The newest switch of the spec or of all specs forbids repairs. */
function paused(specId: string) {
  return sql<boolean>`exists (
    select from (
      select distinct on (spec_id) paused from repair_switches
      where spec_id = ${specId} or spec_id is null
      order by spec_id, number desc
    ) newest where paused)`;
}
