import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { viewDelivery, viewWebhook } from '../../application/views/webhook-view.js';
import {
  addWebhook,
  findWebhook,
  removeWebhook,
  resendDelivery,
  rotateWebhook,
} from '../../application/webhooks.js';
import { needs, ownTenant } from '../access.js';
import type { HttpEnv } from '../environment.js';
import { Id } from '../schemas/common.js';
import {
  Delivery,
  DeliveryPage,
  DeliveryQuery,
  NewWebhook,
  Rotation,
  Webhook,
  WebhookList,
  WebhookWithSecret,
} from '../schemas/webhook.js';
import { noteSubject } from '../trail.js';
import { answer, given, mapPage, problem } from './answers.js';

const tags = ['Webhooks'];
const params = z.object({ id: Id });

const add = createRoute({
  operationId: 'addWebhook',
  method: 'post',
  path: '/v1/webhooks',
  security: needs('operate'),
  tags,
  summary: 'Have a URL told of what happens from now on',
  description:
    'Requests are Standard Webhooks: signed, retried for a day, delivered at least once under one `webhook-id`, in no particular order.',
  request: { body: { required: true, content: { 'application/json': { schema: NewWebhook } } } },
  responses: { 201: answer('With its secret.', WebhookWithSecret), default: problem },
});

const list = createRoute({
  operationId: 'listWebhooks',
  method: 'get',
  path: '/v1/webhooks',
  security: needs('operate'),
  tags,
  summary: 'List webhooks, the oldest first',
  request: { query: z.object({ tenant: z.string().optional() }) },
  responses: { 200: answer('All that were not removed.', WebhookList), default: problem },
});

const rotate = createRoute({
  operationId: 'rotateWebhook',
  method: 'post',
  path: '/v1/webhooks/{id}/rotate',
  security: needs('operate'),
  tags,
  summary: 'Give a webhook a new secret',
  request: { params, body: { required: true, content: { 'application/json': { schema: Rotation } } } },
  responses: { 200: answer('With its new secret.', WebhookWithSecret), default: problem },
});

const remove = createRoute({
  operationId: 'removeWebhook',
  method: 'delete',
  path: '/v1/webhooks/{id}',
  security: needs('operate'),
  tags,
  summary: 'Tell it nothing more; what is on its way is dropped',
  request: { params },
  responses: { 200: answer('It is removed.', Webhook), default: problem },
});

const deliveries = createRoute({
  operationId: 'listWebhookDeliveries',
  method: 'get',
  path: '/v1/webhook-deliveries',
  security: needs('operate'),
  tags,
  summary: 'List deliveries with every try, the newest first',
  request: { query: DeliveryQuery },
  responses: { 200: answer('One page.', DeliveryPage), default: problem },
});

const resend = createRoute({
  operationId: 'resendWebhookDelivery',
  method: 'post',
  path: '/v1/webhook-deliveries/{id}/resend',
  security: needs('operate'),
  tags,
  summary: 'Deliver once more, under the same `webhook-id`',
  request: { params },
  responses: { 202: answer('It is on its way again.', Delivery), default: problem },
});

export function webhookRoutes(api: OpenAPIHono<HttpEnv>): void {
  api.openapi(add, async (c) => {
    const app = c.get('app');
    const asked = c.req.valid('json');
    const tenant = ownTenant(c.get('principal'), asked.tenant ?? undefined);
    const allowPrivate = app.allowPrivateWebhooks === true;
    const { endpoint, secret } = await addWebhook(app.store, {
      url: asked.url,
      tenant,
      allowPrivate,
      now: app.now(),
    });
    noteSubject(c, endpoint.endpointId, endpoint.tenant);
    return c.json({ ...viewWebhook(endpoint), secret }, 201);
  });

  api.openapi(list, async (c) => {
    const { store, now } = c.get('app');
    const items = await store.webhooks.list(given(c.req.valid('query')), now());
    return c.json({ items: items.map(viewWebhook) }, 200);
  });

  api.openapi(rotate, async (c) => {
    const overlapMs = c.req.valid('json').overlapHours * 3_600_000;
    const { id } = c.req.valid('param');
    const { store, now } = c.get('app');
    const { endpoint, secret } = await rotateWebhook(store, id, { overlapMs, now: now() });
    noteSubject(c, endpoint.endpointId, endpoint.tenant);
    return c.json({ ...viewWebhook(endpoint), secret }, 200);
  });

  api.openapi(remove, async (c) => {
    const { store, now } = c.get('app');
    const endpoint = await removeWebhook(store, c.req.valid('param').id, now());
    noteSubject(c, endpoint.endpointId, endpoint.tenant);
    return c.json(viewWebhook(endpoint), 200);
  });

  api.openapi(deliveries, async (c) => {
    const { limit, cursor, webhook, failed, ...rest } = c.req.valid('query');
    const { store, now } = c.get('app');
    const endpointId =
      webhook === undefined ? undefined : (await findWebhook(store, webhook, now())).endpointId;
    const filter = given({ ...rest, endpointId, failed: failed === undefined ? undefined : (true as const) });
    return c.json(
      mapPage(await store.webhooks.deliveries(filter, { limit, ...given({ cursor }) }), viewDelivery),
      200,
    );
  });

  api.openapi(resend, async (c) => {
    const { store, now } = c.get('app');
    const delivery = await resendDelivery(store, c.req.valid('param').id, now());
    noteSubject(c, delivery.deliveryId, delivery.event.tenant);
    return c.json(viewDelivery(delivery), 202);
  });
}
