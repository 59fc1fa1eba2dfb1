import { type Kysely, sql } from 'kysely';
import type { WebhookEndpoint, WebhookStore } from '../../ports/webhook-store.js';
import { beginningWith, theOne } from './prefix.js';
import { retried } from './retry.js';
import type { Tables } from './tables.js';

interface EndpointRow {
  readonly endpoint_id: string;
  readonly tenant: string | null;
  readonly url: string | null;
  readonly state: WebhookEndpoint['state'];
  readonly created_at: number;
  readonly ended_at: number | null;
  readonly rotating_until: number | null;
}

/** Who is told, and what signs. */
export function webhookEndpoints(
  db: Kysely<Tables>,
): Pick<WebhookStore, 'add' | 'find' | 'list' | 'rotate' | 'remove' | 'nameUrl'> {
  const rotatingUntil = (at: number) => sql`
    (select max(s.expires_at) from webhook_secrets s
      where s.endpoint_id = e.endpoint_id and s.expires_at > ${at}::int8) as rotating_until`;
  return {
    async add({ tenant, url, secret, at }) {
      const { rows } = await sql<EndpointRow>`
        with added as (
          insert into webhook_endpoints (tenant, url, created_at)
          values (${tenant}, ${url}, ${at}::int8)
          on conflict do nothing
          returning *
        ), signing as (
          insert into webhook_secrets (endpoint_id, secret, created_at)
          select endpoint_id, ${secret}, created_at from added
        )
        select added.*, null::int8 as rotating_until from added`.execute(db);
      return rows[0] === undefined ? null : toEndpoint(rows[0]);
    },

    async find(endpointId, at) {
      const { rows } = await sql<EndpointRow>`
        select e.*, ${rotatingUntil(at)} from webhook_endpoints e
        where ${beginningWith('e.endpoint_id', endpointId)}`.execute(db);
      const row = theOne(rows, endpointId, (candidate) => candidate.endpoint_id);
      return row === null ? null : toEndpoint(row);
    },

    async list({ tenant }, at) {
      const { rows } = await sql<EndpointRow>`
        select e.*, ${rotatingUntil(at)} from webhook_endpoints e
        where e.state <> 'removed' and (${tenant ?? null}::text is null or e.tenant = ${tenant ?? null})
        order by e.created_at, e.endpoint_id`.execute(db);
      return rows.map(toEndpoint);
    },

    rotate: (endpointId, { secret, at, overlapMs }) =>
      retried(() =>
        db.transaction().execute(async (transaction) => {
          // Whoever rotates at the same moment waits here, so that there is always one current secret.
          const active = await sql`
            select 1 from webhook_endpoints where endpoint_id = ${endpointId} and state = 'active'
            for no key update`.execute(transaction);
          if (active.rows.length === 0) return false;
          await sql`
            delete from webhook_secrets
            where endpoint_id = ${endpointId} and (expires_at is not null or ${overlapMs}::int8 <= 0)`.execute(
            transaction,
          );
          await sql`
            update webhook_secrets set expires_at = ${at + overlapMs}::int8
            where endpoint_id = ${endpointId}`.execute(transaction);
          await sql`
            insert into webhook_secrets (endpoint_id, secret, created_at)
            values (${endpointId}, ${secret}, ${at}::int8)`.execute(transaction);
          return true;
        }),
      ),

    remove: (endpointId, at) =>
      retried(async () => {
        // Rows are taken in the order endpoint, deliveries, as in webhooks-dispatch.ts.
        const { rows } = await sql`
          with removed as (
            update webhook_endpoints set state = 'removed', ended_at = coalesce(ended_at, ${at}::int8)
            where endpoint_id = ${endpointId} and state <> 'removed'
            returning endpoint_id
          ), forgotten as (
            delete from webhook_secrets s using removed where s.endpoint_id = removed.endpoint_id
          ), dropped as (
            update webhook_deliveries d set state = 'dropped', due_at = null, ended_at = ${at}::int8
            from removed where d.endpoint_id = removed.endpoint_id and d.state = 'pending'
          )
          select endpoint_id from removed`.execute(db);
        return rows.length === 1;
      }),

    async nameUrl({ tenant, subject, url, at }) {
      const { rows } = await sql<{ signed: boolean }>`
        with signer as (
          select from webhook_endpoints
          where state = 'active' and url is null and (tenant is null or tenant = ${tenant})
          limit 1
        ), named as (
          insert into webhook_subjects (subject, url, tenant, at)
          select ${subject}, ${url}, ${tenant}, ${at}::int8 from signer
          on conflict do nothing
        )
        select exists (select from signer) as signed`.execute(db);
      return rows[0]?.signed === true;
    },
  };
}

function toEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    endpointId: row.endpoint_id,
    tenant: row.tenant,
    url: row.url,
    state: row.state,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    rotatingUntil: row.rotating_until,
  };
}
