import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPostgresStore } from '../../src/adapters/postgres/store.js';
import { readConfig } from '../../src/config.js';
import { createWebhooks } from '../../src/main/webhooks.js';
import type { Store } from '../../src/ports/store.js';
import { announce } from '../contract/store/webhook-fixtures.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { openReceiver } from '../support/webhook-receiver.js';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  store = createPostgresStore({ databaseUrl: database.databaseUrl });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

it.each([
  ['0', 'pending', 'insecure_url'],
  ['1', 'delivered', null],
])(
  'a worker with ENDSTOP_WEBHOOK_ALLOW_PRIVATE=%s leaves a delivery to its own machine %s',
  async (allow, state, error) => {
    const receiver = await openReceiver();
    const tenant = `tenant-${allow}`;
    const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, yes').toString('base64')}`;
    await store.webhooks.add({ tenant, url: receiver.url, secret, at: 1 });
    const webhooks = createWebhooks(
      readConfig({ ENDSTOP_WEBHOOK_ALLOW_PRIVATE: allow }, undefined, '/'),
      store,
      () => undefined,
    );
    const delivering = webhooks.run();
    await announce(store, tenant, 1);
    const first = async () => (await store.webhooks.deliveries({ tenant }, { limit: 1 })).items[0];
    while ((await first())?.tries.length !== 1) await pause(10);
    webhooks.stop();
    await delivering;
    expect(await first()).toMatchObject({ state, tries: [{ error }] });
    expect(receiver.received).toHaveLength(allow === '1' ? 1 : 0);
    await receiver.close();
  },
);
