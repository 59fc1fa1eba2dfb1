import { z } from '@hono/zod-openapi';
import { deliveryStates, webhookEventTypes } from '../../ports/webhook-store.js';
import { Id, Instant, listOf, orNull, pageOf, pageQuery, Reason, RouteName, Tenant } from './common.js';
import { VerificationStatus } from './record.js';

const webhook = {
  id: z.string(),
  tenant: z.string().nullable().openapi({ description: "Null: everybody's documents." }),
  url: z
    .string()
    .nullable()
    .openapi({ description: 'Without its query. Null: signs what goes to URLs that submissions name.' }),
  state: z.enum(['active', 'disabled', 'removed']).openapi({ description: '`disabled`: it answered 410.' }),
  createdAt: Instant,
  endedAt: Instant.nullable(),
  rotatingUntil: Instant.nullable().openapi({ description: 'Until then the secret before signs too.' }),
};

export const Webhook = z.object(webhook).openapi('Webhook');
export const WebhookList = z.object({ items: listOf(Webhook) }).openapi('WebhookList');

export const WebhookWithSecret = z
  .object({ ...webhook, secret: z.string().openapi({ description: 'Shown this once.' }) })
  .openapi('WebhookWithSecret');

export const NewWebhook = z
  .strictObject({
    url: z
      .string()
      .nullable()
      .openapi({ description: 'Null: make the secret that signs for URLs named by submissions.' }),
    tenant: Tenant.nullable().openapi({ description: "Whose documents; null for everybody's." }),
  })
  .openapi('NewWebhook');

export const Rotation = z
  .strictObject({
    overlapHours: z
      .number()
      .int()
      .min(0)
      .max(720)
      .default(24)
      .openapi({ description: 'The secret before signs too for so long; 0 when it leaked.' }),
  })
  .openapi('Rotation');

export const Delivery = z
  .object({
    id: z.string(),
    webhook: z.string(),
    url: z.string(),
    eventId: z.string().openapi({ description: 'What the receiver sees as `webhook-id`.' }),
    type: z.enum(webhookEventTypes).openapi('WebhookEventType'),
    at: Instant,
    extractionId: z.string(),
    run: z.number().int(),
    tenant: z.string(),
    spec: z.string(),
    outcome: z.enum(['verified', 'unverified']),
    reason: orNull(Reason),
    route: orNull(RouteName),
    verificationStatus: orNull(VerificationStatus),
    state: z.enum(deliveryStates),
    dueAt: Instant.nullable(),
    endedAt: Instant.nullable(),
    tries: listOf(
      z.object({
        at: Instant,
        durationMs: z.number().int(),
        status: z.number().int().nullable(),
        error: z.string().nullable(),
      }),
    ),
  })
  .openapi('WebhookDelivery');

export const DeliveryPage = pageOf(Delivery, 'WebhookDeliveryPage');

export const DeliveryQuery = z.object({
  tenant: z.string().optional(),
  webhook: Id.optional(),
  state: z.enum(deliveryStates).optional(),
  failed: z.literal('true').optional().openapi({ description: 'Given up, or failing so far.' }),
  ...pageQuery,
});
