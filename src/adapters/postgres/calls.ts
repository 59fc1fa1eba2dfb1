import { type Kysely, type Selectable, sql } from 'kysely';
import type { Money } from '../../domain/money.js';
import type { AttemptStore, Call } from '../../ports/attempt-store.js';
import { json } from './json.js';
import type { CallColumns, Tables } from './tables.js';

/** Requests on the wire. Open rows hold the upper estimate, so that a crash cannot hide money. */
export function callStore(
  db: Kysely<Tables>,
  zeroCost: Money,
): Pick<AttemptStore, 'beginCall' | 'endCall' | 'tally' | 'calls'> {
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
        insert into calls (key, run, attempt, tenant, lane, model, activity_id, state, tokens, cost, currency, known,
          started_at)
        values (${ref.key}, ${ref.run}, ${call.attempt}, ${ref.tenant}, ${call.lane}, ${call.model},
          ${call.activityId}, 'open', ${estimate.tokens}, ${estimate.cost.amount}, ${estimate.cost.currency}, false,
          ${call.at})
        returning call_id`.execute(db);
      return String(rows[0]?.call_id);
    },

    async endCall(end) {
      await db
        .updateTable('calls')
        .set({
          state: end.state,
          fault_class: end.faultClass,
          status: end.status,
          request_id: end.requestId,
          usage: end.usage === 'unknown' ? null : json(end.usage),
          tokens: end.spending.tokens,
          cost: end.spending.cost.amount,
          currency: end.spending.cost.currency,
          known: end.spending.known,
          ended_at: end.at,
        })
        .where('call_id', '=', Number(end.callId))
        .execute();
    },

    async tally(ref, attempt, activityId) {
      const row = await db
        .selectFrom('calls')
        .select([
          sql<number>`count(*)`.as('calls'),
          sql<number>`count(*) filter (where state = 'failed' and activity_id = ${activityId})`.as('failed'),
          sql<number>`coalesce(sum(tokens), 0)::int8`.as('tokens'),
          sql<string | null>`sum(cost)`.as('cost'),
          sql<string | null>`max(currency)`.as('currency'),
          sql<boolean>`coalesce(bool_and(known), true)`.as('known'),
        ])
        .where('key', '=', ref.key)
        .where('run', '=', ref.run)
        .where('attempt', '=', attempt)
        .executeTakeFirstOrThrow();
      const cost =
        row.cost === null || row.currency === null ? zeroCost : { amount: row.cost, currency: row.currency };
      return {
        calls: row.calls,
        failedInActivity: row.failed,
        spending: { tokens: row.tokens, cost, known: row.known },
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
