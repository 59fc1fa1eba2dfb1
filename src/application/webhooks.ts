import { randomBytes } from 'node:crypto';
import type { Store } from '../ports/store.js';
import type { WebhookDelivery, WebhookEndpoint } from '../ports/webhook-store.js';
import { ApplicationError } from './application-error.js';
import { readId } from './find-extraction.js';
import { assertLabels } from './intake.js';
import { readWebhookUrl } from './webhook-url.js';

export interface NewWebhook {
  /** Null: the secret that signs what goes to URLs named by submissions. */
  readonly url: string | null;
  /** Null: everybody's events. */
  readonly tenant: string | null;
  readonly allowPrivate: boolean;
  readonly now: number;
}

/** `secret` is shown to whoever asked for it, this once. */
export interface WebhookSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/** Throws ApplicationError `invalid_request` for a URL or tenant that cannot be used, and for what is there already. */
export async function addWebhook(
  store: Store,
  { url, tenant, allowPrivate, now }: NewWebhook,
): Promise<WebhookSecret> {
  if (tenant !== null) assertLabels({ tenant, tags: [], mediaType: null });
  const secret = newSecret();
  const readUrl = url === null ? null : readWebhookUrl(url, allowPrivate, '/url');
  const endpoint = await store.webhooks.add({ tenant, url: readUrl, secret, at: now });
  if (endpoint !== null) return { endpoint, secret };
  throw new ApplicationError(
    'invalid_request',
    'There is such a webhook already: rotate its secret, or remove it first.',
  );
}

/**
 * Gives a webhook a new secret; the one before signs beside it for `overlapMs` (0: no longer, when it leaked).
 * Throws ApplicationError `not_found`, or `invalid_request` when it is not active any more.
 */
export async function rotateWebhook(
  store: Store,
  id: string,
  { overlapMs, now }: { readonly overlapMs: number; readonly now: number },
): Promise<WebhookSecret> {
  const secret = newSecret();
  const { endpointId, state } = await findWebhook(store, id, now);
  if (!(await store.webhooks.rotate(endpointId, { secret, at: now, overlapMs }))) {
    throw new ApplicationError(
      'invalid_request',
      `This webhook is ${state === 'active' ? 'removed' : state}: add it anew.`,
    );
  }
  return { endpoint: await findWebhook(store, endpointId, now), secret };
}

/** What is on its way to it is dropped. Throws ApplicationError `not_found`. */
export async function removeWebhook(store: Store, id: string, now: number): Promise<WebhookEndpoint> {
  const { endpointId } = await findWebhook(store, id, now);
  await store.webhooks.remove(endpointId, now);
  return await findWebhook(store, endpointId, now);
}

/** Throws ApplicationError `invalid_request` or `not_found`. */
export async function findWebhook(store: Store, id: string, now: number): Promise<WebhookEndpoint> {
  const endpoint = await store.webhooks.find(readId(id), now);
  if (endpoint !== null) return endpoint;
  throw new ApplicationError('not_found', `No single webhook has an id that begins with "${readId(id)}".`);
}

/**
 * Delivers again, under the same id, whatever became of it; its endpoint has a day to take it.
 * Throws ApplicationError `not_found`, or `invalid_request` when its endpoint is not active any more.
 */
export async function resendDelivery(store: Store, id: string, now: number): Promise<WebhookDelivery> {
  const delivery = await store.webhooks.delivery(readId(id));
  if (delivery === null) {
    throw new ApplicationError('not_found', `No single delivery has an id that begins with "${readId(id)}".`);
  }
  if (!(await store.webhooks.resend(delivery.deliveryId, now))) {
    throw new ApplicationError(
      'invalid_request',
      'The webhook of this delivery is not active any more: add it anew; it is then told of what happens from there on.',
    );
  }
  return (await store.webhooks.delivery(delivery.deliveryId)) ?? delivery;
}

/** Throws ApplicationError `invalid_request` when nothing could sign what goes to URLs that this tenant names. */
export async function assertCanSign(store: Store, tenant: string, now: number): Promise<void> {
  const endpoints = await store.webhooks.list({}, now);
  const signs = endpoints.some(
    (endpoint) =>
      endpoint.state === 'active' && endpoint.url === null && [null, tenant].includes(endpoint.tenant),
  );
  if (!signs) throw noSecret();
}

/** Has a URL told of everything about a subject. Throws ApplicationError as `assertCanSign` does. */
export async function nameWebhookUrl(
  store: Store,
  named: { readonly url: string; readonly tenant: string; readonly subject: string; readonly at: number },
): Promise<void> {
  if (!(await store.webhooks.nameUrl(named))) throw noSecret();
}

function noSecret(): ApplicationError {
  const detail =
    'There is no secret to sign for this URL with: run `endstop webhooks add --per-extraction` once.';
  return new ApplicationError('invalid_request', detail, [{ pointer: '/webhookUrl', detail }]);
}

/** As Standard Webhooks writes them: 32 random bytes in base64. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
