import type { Kysely } from 'kysely';
import { permitFits } from '../../domain/repair-budget.js';
import type { TrafficStore } from '../../ports/store.js';
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
            ])
            .executeTakeFirstOrThrow();
          if (seen.answer !== null) return seen.answer;
          const granted = permitFits(budget, {
            primaries: Number(seen.primaries),
            repairs: seen.repairs ?? 0,
          });
          await transaction
            .with('pruned', (query) =>
              query
                .deleteFrom('traffic')
                .where('spec_id', '=', ref.specId)
                .where('second', '<', Math.floor(Math.min(from, at - keptMs) / 1_000)),
            )
            .insertInto('permits')
            .values({ key: ref.key, run: ref.run, attempt, spec_id: ref.specId, granted, at })
            .execute();
          return granted;
        }),
      );
    },
  };
}
