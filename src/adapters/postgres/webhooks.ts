import type { Kysely } from 'kysely';
import type { WebhookStore } from '../../ports/webhook-store.js';
import type { Tables } from './tables.js';
import { webhookDeliveries } from './webhooks-deliveries.js';
import { webhookDispatch } from './webhooks-dispatch.js';
import { webhookEndpoints } from './webhooks-endpoints.js';
import { listenForDeliveries } from './webhooks-listener.js';

export function webhookStore(db: Kysely<Tables>, databaseUrl: string): WebhookStore {
  return {
    ...webhookEndpoints(db),
    ...webhookDeliveries(db),
    ...webhookDispatch(db),
    listen: (onDue) => listenForDeliveries(databaseUrl, onDue),
  };
}
