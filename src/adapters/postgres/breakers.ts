import { type Kysely, sql } from 'kysely';
import type { BreakerStore, ReportedBreaker } from '../../ports/breaker-store.js';
import { json } from './json.js';
import type { Tables } from './tables.js';

const forgottenMs = 86_400_000;
const mostListed = 500;

/** A handful of rows that are written when a breaker changes, and every half minute besides. */
export function breakerStore(db: Kysely<Tables>): BreakerStore {
  return {
    async report({ worker, provider }, states, at) {
      await sql`
        with forgotten as (
          delete from breakers where seen_at < ${at - forgottenMs}::int8 and worker <> ${worker}
        )
        insert into breakers as b (worker, model, provider, state, since, cause, next_probe_at, changed_at, seen_at)
        select ${worker}, model, ${provider}, state, since, cause, "nextProbeAt", ${at}::int8, ${at}::int8
        from jsonb_to_recordset(${json(states)}::jsonb)
          as told (model text, state text, since int8, cause text, "nextProbeAt" int8)
        on conflict (worker, model) do update set provider = excluded.provider, state = excluded.state,
          since = excluded.since, cause = excluded.cause, next_probe_at = excluded.next_probe_at,
          changed_at = case when b.state = excluded.state then b.changed_at else excluded.changed_at end,
          seen_at = excluded.seen_at`.execute(db);
    },

    async leave(worker) {
      await sql`delete from breakers where worker = ${worker}`.execute(db);
    },

    async list() {
      const { rows } = await sql<ReportedBreaker>`
        select worker, model, provider, state, since, cause, next_probe_at as "nextProbeAt", seen_at as "seenAt"
        from breakers order by (state = 'closed'), worker, model limit ${mostListed}`.execute(db);
      return rows;
    },
  };
}
