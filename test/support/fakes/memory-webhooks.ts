import type { WebhookDelivery, WebhookEndpoint, WebhookStore } from '../../../src/ports/webhook-store.js';
import { byPrefix, pageOf, unused } from './memory-page.js';

export interface MemoryWebhooks extends WebhookStore {
  readonly endpoints: Map<string, WebhookEndpoint>;
  /** Secrets by endpoint, the newest first. */
  readonly secrets: Map<string, readonly string[]>;
  readonly sent: Map<string, WebhookDelivery>;
  /** `subject url`, as submissions named them. */
  readonly named: Set<string>;
}

export function createMemoryWebhooks(): MemoryWebhooks {
  const endpoints = new Map<string, WebhookEndpoint>();
  const secrets = new Map<string, readonly string[]>();
  const sent = new Map<string, WebhookDelivery>();
  const named = new Set<string>();
  const active = () => [...endpoints.values()].filter(({ state }) => state === 'active');
  const isOf = (tenant: string, endpointId: string) => {
    const endpoint = endpoints.get(endpointId);
    return endpoint?.tenant === tenant || (endpoint?.tenant === null && endpoint.url === null);
  };
  return {
    endpoints,
    secrets,
    sent,
    named,
    add: async ({ tenant, url, secret, at }) => {
      if (active().some((endpoint) => endpoint.tenant === tenant && endpoint.url === url)) return null;
      const endpointId = (endpoints.size + 0xabc).toString(16).padStart(32, '0');
      const state = 'active' as const;
      const endpoint = { endpointId, tenant, url, state, createdAt: at, endedAt: null, rotatingUntil: null };
      endpoints.set(endpointId, endpoint);
      secrets.set(endpointId, [secret]);
      return endpoint;
    },
    find: async (id) => byPrefix([...endpoints.values()], id, ({ endpointId }) => endpointId),
    list: async ({ tenant }) =>
      [...endpoints.values()].filter(
        (endpoint) => endpoint.state !== 'removed' && (tenant === undefined || endpoint.tenant === tenant),
      ),
    rotate: async (id, { secret, at, overlapMs }) => {
      const endpoint = endpoints.get(id);
      if (endpoint?.state !== 'active') return false;
      endpoints.set(id, { ...endpoint, rotatingUntil: overlapMs > 0 ? at + overlapMs : null });
      secrets.set(id, [secret, ...(secrets.get(id) ?? []).slice(0, overlapMs > 0 ? 1 : 0)]);
      return true;
    },
    remove: async (id, at) => {
      const endpoint = endpoints.get(id);
      if (endpoint === undefined || endpoint.state === 'removed') return false;
      endpoints.set(id, { ...endpoint, state: 'removed', endedAt: at });
      return true;
    },
    nameUrl: async ({ tenant, subject, url }) => {
      const signs = active().some(
        (endpoint) => endpoint.url === null && [null, tenant].includes(endpoint.tenant),
      );
      if (signs) named.add(`${subject} ${url}`);
      return signs;
    },
    deliveries: async (filter, page) =>
      pageOf(
        [...sent.values()].filter(
          ({ state, tries, event, endpointId }) =>
            (filter.state === undefined || state === filter.state) &&
            (filter.tenant === undefined || event.tenant === filter.tenant) &&
            (filter.endpointsOf === undefined || isOf(filter.endpointsOf, endpointId)) &&
            (filter.endpointId === undefined || endpointId === filter.endpointId) &&
            (filter.failed !== true ||
              state === 'given_up' ||
              (state === 'pending' && tries.some(({ error }) => error !== null))),
        ),
        page,
      ),
    delivery: async (id) => byPrefix([...sent.values()], id, ({ deliveryId }) => deliveryId),
    resend: async (id, at) => {
      const delivery = sent.get(id);
      if (delivery === undefined || endpoints.get(delivery.endpointId)?.state !== 'active') return false;
      sent.set(id, { ...delivery, state: 'pending', dueAt: at, endedAt: null });
      return true;
    },
    claim: unused('claim'),
    settle: unused('settle'),
    nextDueAt: unused('nextDueAt'),
    listen: () => ({ close: async () => undefined }),
    tidy: unused('tidy'),
  };
}
