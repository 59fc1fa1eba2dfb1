import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Reason } from '../../domain/reason.js';
import type { RouteName } from '../../domain/route.js';
import type { VerificationStatus } from '../../ports/record-store.js';
import type {
  DeliveryFilter,
  DeliveryState,
  WebhookDelivery,
  WebhookEvent,
  WebhookEventType,
  WebhookStore,
  WebhookTry,
} from '../../ports/webhook-store.js';
import { decodeCursor, pageRows, toPage } from './cursor.js';
import { beginningWith, theOne } from './prefix.js';
import type { Tables } from './tables.js';

export interface EventRow {
  readonly event_id: string;
  readonly type: WebhookEventType;
  readonly key: string;
  readonly run: number;
  readonly tenant: string;
  readonly spec_id: string;
  readonly outcome: 'verified' | 'unverified';
  readonly reason: Reason | null;
  readonly route: RouteName | null;
  readonly verification_status: VerificationStatus | null;
  readonly at: number;
}

interface DeliveryRow extends EventRow {
  readonly delivery_id: string;
  readonly endpoint_id: string;
  readonly url: string;
  readonly state: DeliveryState;
  readonly created_at: number;
  readonly due_at: number | null;
  readonly ended_at: number | null;
  readonly log: readonly WebhookTry[] | null;
}

/** The log: what went where, and what became of it. */
export function webhookDeliveries(
  db: Kysely<Tables>,
): Pick<WebhookStore, 'deliveries' | 'delivery' | 'resend'> {
  return {
    async deliveries(filter, page) {
      const conditions = [...conditionsOf(filter)];
      if (page.cursor !== undefined) {
        const [at, id] = decodeCursor(page.cursor, ['integer', 'text']);
        conditions.push(sql`(created_at, delivery_id) < (${at}::int8, ${id})`);
      }
      const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
      const { rows } = await withLog(
        sql`select * from webhook_deliveries ${where}
          order by created_at desc, delivery_id desc limit ${pageRows(page.limit)}::int8`,
      ).execute(db);
      return toPage(rows, page.limit, (row) => [row.created_at, row.delivery_id], toDelivery);
    },

    async delivery(deliveryId) {
      const { rows } = await withLog(
        sql`select * from webhook_deliveries where ${beginningWith('delivery_id', deliveryId)}`,
      ).execute(db);
      const row = theOne(rows, deliveryId, (candidate) => candidate.delivery_id);
      return row === null ? null : toDelivery(row);
    },

    async resend(deliveryId, at) {
      const { rows } = await sql`
        with due as (
          update webhook_deliveries d
          set state = 'pending', due_at = ${at}::int8, ended_at = null, failures = 0, first_try_at = null
          from webhook_endpoints e
          where d.delivery_id = ${deliveryId} and e.endpoint_id = d.endpoint_id and e.state = 'active'
          returning d.delivery_id
        )
        select delivery_id, pg_notify('endstop_webhooks', '') from due`.execute(db);
      return rows.length === 1;
    },
  };
}

function* conditionsOf(filter: DeliveryFilter): Generator<RawBuilder<unknown>> {
  if (filter.tenant !== undefined) yield sql`tenant = ${filter.tenant}`;
  if (filter.endpointsOf !== undefined) {
    yield sql`endpoint_id in (
      select endpoint_id from webhook_endpoints
      where tenant = ${filter.endpointsOf} or (tenant is null and url is null))`;
  }
  if (filter.endpointId !== undefined) yield sql`endpoint_id = ${filter.endpointId}`;
  if (filter.state !== undefined) yield sql`state = ${filter.state}`;
  // As the partial index says it, so that the index serves it.
  if (filter.failed === true) yield sql`(state = 'given_up' or (state = 'pending' and failures > 0))`;
}

/** Deliveries, already cut to the page, with their events and their tries, newest first. */
function withLog(deliveries: RawBuilder<unknown>): RawBuilder<DeliveryRow> {
  return sql<DeliveryRow>`
    select o.*, d.delivery_id, d.endpoint_id, d.url, d.state, d.created_at, d.due_at, d.ended_at, l.log
    from (${deliveries}) d
    join outbox o on o.event_id = d.event_id
    cross join lateral (
      select json_agg(json_build_object('at', t.at, 'durationMs', t.duration_ms, 'status', t.status,
        'error', t.error) order by t.number) as log
      from webhook_tries t where t.delivery_id = d.delivery_id
    ) l
    order by d.created_at desc, d.delivery_id desc`;
}

export function toEvent(row: EventRow): WebhookEvent {
  return {
    eventId: row.event_id,
    type: row.type,
    at: row.at,
    key: row.key,
    run: row.run,
    tenant: row.tenant,
    specId: row.spec_id,
    outcome: row.outcome,
    reason: row.reason,
    route: row.route,
    verificationStatus: row.verification_status,
  };
}

function toDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    deliveryId: row.delivery_id,
    endpointId: row.endpoint_id,
    url: row.url,
    event: toEvent(row),
    state: row.state,
    dueAt: row.due_at,
    endedAt: row.ended_at,
    tries: row.log ?? [],
  };
}
