import { type Kysely, type Selectable, sql } from 'kysely';
import type { AttemptStore, Call } from '../../ports/attempt-store.js';
import { json } from './json.js';
import type { CallColumns } from './tables/extractions.js';
import type { Tables } from './tables.js';

interface CallSums {
  readonly calls: number;
  readonly failed: number;
  readonly tokens: number;
  readonly cost: string;
  readonly currency: string | null;
  readonly known: boolean;
}

/** Requests on the wire. Open rows hold the upper estimate, so that a crash cannot hide money. */
export function callStore(db: Kysely<Tables>): Pick<AttemptStore, 'beginCall' | 'endCall' | 'calls'> {
  return {
    async beginCall(call) {
      const { ref, estimate } = call;
      // A primary call is counted once a run: a call that failed on the way and is made again is no more traffic
      // than the document it was made for.
      const { rows } = await sql<{ call_id: number }>`
        with primary_call as (
          insert into traffic (spec_id, second, primaries)
          select ${ref.specId}, ${Math.floor(call.at / 1_000)}::int8, 1
          where ${call.attempt}::int4 = 1
            and not exists (select from calls where key = ${ref.key} and run = ${ref.run} and attempt = 1)
          on conflict (spec_id, second) do update set primaries = traffic.primaries + 1
        )
        insert into calls (key, run, attempt, tenant, lane, model, provider, activity_id, state, tokens, cost, currency, known,
          started_at)
        values (${ref.key}, ${ref.run}, ${call.attempt}, ${ref.tenant}, ${call.lane}, ${call.model}, ${call.provider},
          ${call.activityId}, 'open', ${estimate.tokens}, ${estimate.cost.amount}, ${estimate.cost.currency}, false,
          ${call.at})
        returning call_id`.execute(db);
      return String(rows[0]?.call_id);
    },

    async endCall(end) {
      const { spending } = end;
      // The new values come from the update itself: the statement sees the table as it was before.
      const { rows } = await sql<CallSums>`
        with ended as (
          update calls set state = ${end.state}, fault_class = ${end.faultClass}, status = ${end.status}::int4,
            request_id = ${end.requestId}, usage = ${end.usage === 'unknown' ? null : json(end.usage)}::jsonb,
            tokens = ${spending.tokens}, cost = ${spending.cost.amount}, currency = ${spending.cost.currency},
            known = ${spending.known}, ended_at = ${end.at}
          where call_id = ${Number(end.callId)}
          returning *
        ), attempt_calls as (
          select * from ended
          union all
          select c.* from calls c, ended
          where c.key = ended.key and c.run = ended.run and c.attempt = ended.attempt and c.call_id <> ended.call_id
        )
        select count(*) as calls,
          count(*) filter (where state = 'failed' and activity_id = (select activity_id from ended)) as failed,
          coalesce(sum(tokens), 0)::int8 as tokens, coalesce(sum(cost), 0) as cost, max(currency) as currency,
          coalesce(bool_and(known), true) as known
        from attempt_calls`.execute(db);
      const [sums] = rows;
      if (sums === undefined || sums.currency === null) throw new Error('There is no such call.');
      return {
        calls: sums.calls,
        failedInActivity: sums.failed,
        spending: {
          tokens: sums.tokens,
          cost: { amount: sums.cost, currency: sums.currency },
          known: sums.known,
        },
      };
    },

    async calls(key, run) {
      const rows = await db
        .selectFrom('calls')
        .selectAll()
        .where('key', '=', key)
        .where('run', '=', run)
        .orderBy('call_id')
        .execute();
      return rows.map(toCall);
    },
  };
}

function toCall(row: Selectable<CallColumns>): Call {
  return {
    callId: String(row.call_id),
    attempt: row.attempt,
    model: row.model,
    provider: row.provider,
    state: row.state,
    faultClass: row.fault_class,
    status: row.status,
    requestId: row.request_id,
    tokens: row.tokens,
    cost: { amount: row.cost, currency: row.currency },
    known: row.known,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}
