import type { Store } from '../../../src/ports/store.js';
import type {
  DeliveryClaim,
  DueDelivery,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookTry,
} from '../../../src/ports/webhook-store.js';
import { accepted, landing, openRun } from './fixtures.js';

let serial = 0;

/** A tenant whose events nobody else's endpoints are told of. */
export function newTenant(): string {
  serial += 1;
  return `tenant-${serial}`;
}

export interface Told {
  readonly endpoint: WebhookEndpoint;
  readonly tenant: string;
  /** What it was told so far, oldest first. */
  told(): Promise<readonly WebhookDelivery[]>;
}

/**
 * An endpoint of a tenant of its own. It is removed when `use` is over, so that nothing of it is left to be claimed
 * by other cases.
 */
export async function withEndpoint(
  store: Store,
  use: (told: Told) => Promise<void>,
  given: { readonly tenant?: string | null; readonly url?: string | null; readonly secret?: string } = {},
): Promise<void> {
  const tenant = given.tenant === undefined ? newTenant() : given.tenant;
  const url = given.url === undefined ? `https://receiver.example/${serial}` : given.url;
  const endpoint = await store.webhooks.add({ tenant, url, secret: given.secret ?? 'whsec_one', at: 1 });
  if (endpoint === null) throw new Error('This endpoint was there already.');
  const told = async () => {
    const { items } = await store.webhooks.deliveries({ endpointId: endpoint.endpointId }, { limit: 100 });
    return items.toReversed();
  };
  try {
    await use({ endpoint, tenant: tenant ?? newTenant(), told });
  } finally {
    await store.webhooks.remove(endpoint.endpointId, 9_999_999);
  }
}

/** Announces so many runs of a tenant: every other one verified, the rest not. */
export async function announce(store: Store, tenant: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const ref = await openRun(store, { tenant });
    if (index % 2 === 0) await store.attempts.commit(accepted(ref));
    else await store.extractions.land(landing(ref));
  }
}

/** Later than every event of these cases. */
export const soon = 5_000_000;

export function claim(store: Store, given: Partial<DeliveryClaim> = {}): Promise<readonly DueDelivery[]> {
  return store.webhooks.claim({
    at: soon,
    leaseMs: 60_000,
    limit: 100,
    perUrl: 100,
    without: [],
    ...given,
  });
}

export async function claimOne(store: Store, given: Partial<DeliveryClaim> = {}): Promise<DueDelivery> {
  const [due, ...more] = await claim(store, given);
  if (due === undefined || more.length > 0)
    throw new Error(`Expected one, got ${more.length + (due ? 1 : 0)}.`);
  return due;
}

export const answered = (status: number, error: string | null, at = soon + 10): WebhookTry => ({
  at,
  durationMs: 12,
  status,
  error,
});
