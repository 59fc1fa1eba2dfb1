import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createPostgresStore } from '../../src/adapters/postgres/store.js';
import { addWebhook, type WebhookSecret } from '../../src/application/webhooks.js';
import type { Store } from '../../src/ports/store.js';
import type { WebhookDelivery } from '../../src/ports/webhook-store.js';
import { accepted, openRun } from '../contract/store/fixtures.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { openReceiver, type Receiver } from '../support/webhook-receiver.js';
import { dispatcherOf } from './webhook-bench.js';

export let database: TestDatabase;
export let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  store = createPostgresStore({ databaseUrl: database.databaseUrl });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const open: { close?(): unknown; end?(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await (one.end ?? one.close)?.();
});

let serial = 0;

/** A receiver that is told of everything about a tenant of its own, and is forgotten with the test. */
export async function scene(...args: Parameters<typeof openReceiver>): Promise<Scene> {
  const receiver = await openReceiver(...args);
  serial += 1;
  const tenant = `tenant-${serial}`;
  const added = await addWebhook(store, { url: receiver.url, tenant, allowPrivate: true, now: Date.now() });
  const { endpointId } = added.endpoint;
  open.push(receiver, { close: () => store.webhooks.remove(endpointId, Date.now()) });
  const deliveries = async () =>
    (await store.webhooks.deliveries({ endpointId }, { limit: 200 })).items.toReversed();
  const settled = async (state: string) => {
    for (;;) {
      const all = await deliveries();
      if (all.length > 0 && all.every((one) => one.state === state)) return all;
      await pause(10);
    }
  };
  return { ...added, receiver, tenant, deliveries, settled };
}

interface Scene extends WebhookSecret {
  readonly receiver: Receiver;
  readonly tenant: string;
  deliveries(): Promise<readonly WebhookDelivery[]>;
  /** Resolves when every delivery has come to this. */
  settled(state: string): Promise<readonly WebhookDelivery[]>;
}

export function dispatch(...args: Parameters<typeof dispatcherOf>): ReturnType<typeof dispatcherOf> {
  const dispatcher = dispatcherOf(...args);
  open.push(dispatcher);
  dispatcher.run();
  return dispatcher;
}

export async function verify(tenant: string): Promise<string> {
  const ref = await openRun(store, { tenant });
  await store.attempts.commit(accepted(ref));
  return ref.key;
}
