import { type Kysely, sql, type Transaction } from 'kysely';
import type { DueDelivery, WebhookStore, WebhookTry } from '../../ports/webhook-store.js';
import { retried } from './retry.js';
import type { Tables } from './tables.js';
import { type EventRow, toEvent } from './webhooks-deliveries.js';

interface DueRow extends EventRow {
  readonly delivery_id: string;
  readonly endpoint_id: string;
  readonly url: string;
  readonly tries: number;
  readonly failures: number;
  readonly first_try_at: number;
  readonly secrets: readonly string[];
}

/** Of the deliveries of one endpoint so many are looked at, in the order in which they are due. */
const looksAhead = 256;

/** A tidy-up forgets at most so many events at once, so that it never holds anybody up. */
const forgottenAtOnce = 1_000;

/** Work shared by all dispatchers, however many there are. */
export function webhookDispatch(
  db: Kysely<Tables>,
): Pick<WebhookStore, 'claim' | 'settle' | 'nextDueAt' | 'tidy'> {
  return {
    async claim({ at, leaseMs, limit, perUrl, without }) {
      const { rows } = await sql<DueRow>`
        with shares as (
          select first.delivery_id, first.due_at,
            row_number() over (partition by first.url order by first.due_at) as place
          from webhook_endpoints e
          cross join lateral (
            select d.delivery_id, d.url, d.due_at from webhook_deliveries d
            where d.endpoint_id = e.endpoint_id and d.state = 'pending' and d.due_at <= ${at}::int8
              and d.url <> all(${[...without]}::text[])
            order by d.due_at limit ${looksAhead}::int8
          ) first
          where e.state = 'active'
        ), candidates as (
          -- More than are taken, since others may be taking the first of them.
          select delivery_id, due_at from shares
          where place <= ${perUrl}::int8 order by due_at limit ${4 * limit}::int8
        ), due as (
          select d.delivery_id
          from candidates c join webhook_deliveries d on d.delivery_id = c.delivery_id
          where d.state = 'pending' and d.due_at <= ${at}::int8
          order by c.due_at limit ${limit}::int8
          for update of d skip locked
        ), claimed as (
          update webhook_deliveries d set tries = d.tries + 1, due_at = ${at + leaseMs}::int8,
            first_try_at = coalesce(d.first_try_at, ${at}::int8)
          from due where d.delivery_id = due.delivery_id
          returning d.*
        )
        select o.*, c.delivery_id, c.endpoint_id, c.url, c.tries, c.failures, c.first_try_at,
          array(select s.secret from webhook_secrets s
            where s.endpoint_id = c.endpoint_id and (s.expires_at is null or s.expires_at > ${at}::int8)
            order by s.expires_at desc nulls first) as secrets
        from claimed c join outbox o on o.event_id = c.event_id`.execute(db);
      return rows.map(toDue);
    },

    async settle(due, tried, verdict) {
      await retried(() =>
        db.transaction().execute(async (transaction) => {
          // Rows are taken in one order by all: endpoint, deliveries, log.
          if (verdict.kind === 'gone') await endReceiver(transaction, due, tried.at);
          if (verdict.kind === 'delivered') {
            await sql`
              update webhook_deliveries set state = 'delivered', due_at = null, ended_at = ${tried.at}::int8
              where delivery_id = ${due.deliveryId}`.execute(transaction);
          } else {
            const retryAt = verdict.kind === 'retry' ? verdict.at : null;
            const endedAt = verdict.kind === 'retry' ? null : tried.at;
            await sql`
              update webhook_deliveries set failures = failures + 1, due_at = ${retryAt}::int8,
                ended_at = ${endedAt}::int8, state = ${verdict.kind === 'retry' ? 'pending' : 'given_up'}
              where delivery_id = ${due.deliveryId} and tries = ${due.number}::int4 and state = 'pending'`.execute(
              transaction,
            );
          }
          await log(transaction, due, tried);
        }),
      );
    },

    async nextDueAt(without) {
      const { rows } = await sql<{ due_at: number | null }>`
        select min(first.due_at) as due_at
        from webhook_endpoints e
        cross join lateral (
          select d.due_at from webhook_deliveries d
          where d.endpoint_id = e.endpoint_id and d.state = 'pending' and d.url <> all(${[...without]}::text[])
          order by d.due_at limit 1
        ) first
        where e.state = 'active'`.execute(db);
      return rows[0]?.due_at ?? null;
    },

    async tidy(at, before) {
      // An event may have been addressed in the moment in which its endpoint ended.
      await retried(() =>
        sql`
        update webhook_deliveries d set state = 'dropped', due_at = null, ended_at = ${at}::int8
        from webhook_endpoints e
        where e.endpoint_id = d.endpoint_id and e.state <> 'active' and d.state = 'pending'`.execute(db),
      );
      await sql`
        delete from outbox where event_id in (
          select o.event_id from outbox o
          where o.at < ${before}::int8 and not exists (
            select from webhook_deliveries d where d.event_id = o.event_id and d.state = 'pending'
          )
          order by o.at limit ${forgottenAtOnce}::int8
          for update skip locked
        )`.execute(db);
    },
  };
}

/** The receiver answered that it wants no more. What else is on its way to it is dropped, this one is not. */
async function endReceiver(transaction: Transaction<Tables>, due: DueDelivery, at: number): Promise<void> {
  const { rows } = await sql<{ is_named: boolean }>`
    select url is null as is_named from webhook_endpoints
    where endpoint_id = ${due.endpointId} for no key update`.execute(transaction);
  const isNamed = rows[0]?.is_named === true;
  if (isNamed)
    await sql`
      delete from webhook_subjects where tenant = ${due.event.tenant} and url = ${due.url}`.execute(
      transaction,
    );
  else
    await sql`
      update webhook_endpoints set state = 'disabled', ended_at = ${at}::int8
      where endpoint_id = ${due.endpointId} and state = 'active'`.execute(transaction);
  await sql`
    update webhook_deliveries set state = 'dropped', due_at = null, ended_at = ${at}::int8
    where endpoint_id = ${due.endpointId} and state = 'pending' and delivery_id <> ${due.deliveryId}
      and (not ${isNamed}::boolean or (url = ${due.url} and tenant = ${due.event.tenant}))`.execute(
    transaction,
  );
}

/** A try is logged whoever holds the delivery by now; two tries under one number cannot be. */
async function log(transaction: Transaction<Tables>, due: DueDelivery, tried: WebhookTry): Promise<void> {
  await sql`
    insert into webhook_tries (delivery_id, number, at, duration_ms, status, error)
    select ${due.deliveryId}, ${due.number}::int4, ${tried.at}::int8, ${tried.durationMs}::int4,
      ${tried.status}::int4, ${tried.error}
    where exists (select from webhook_deliveries where delivery_id = ${due.deliveryId})
    on conflict do nothing`.execute(transaction);
}

function toDue(row: DueRow): DueDelivery {
  return {
    deliveryId: row.delivery_id,
    endpointId: row.endpoint_id,
    url: row.url,
    event: toEvent(row),
    number: row.tries,
    failures: row.failures,
    firstTryAt: row.first_try_at,
    secrets: row.secrets,
  };
}
