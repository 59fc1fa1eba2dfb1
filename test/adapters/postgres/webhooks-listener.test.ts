import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { migrate } from '../../../src/adapters/postgres/migrate.js';
import { createPostgresStore } from '../../../src/adapters/postgres/store.js';
import { announce } from '../../contract/store/webhook-fixtures.js';
import { startTestPostgres } from '../../support/postgres.js';

it('a listener lives through a crash of its database, and is called when it is back', async () => {
  const server = await startTestPostgres();
  const databaseUrl = server.databaseUrl('postgres');
  await migrate(databaseUrl);
  const store = createPostgresStore({ databaseUrl });
  await store.webhooks.add({ tenant: 'acme', url: 'https://a.example/', secret: 'whsec_s', at: 1 });
  let calls = 0;
  const listening = store.webhooks.listen(() => {
    calls += 1;
  });
  const called = async (times: number) => {
    while (calls < times) await pause(10);
    expect(calls).toBe(times);
  };
  await called(1);
  await server.kill();
  await server.start();
  await called(2);
  await announce(store, 'acme', 1);
  await called(3);
  await server.kill();
  // There is no database to say farewell to.
  await listening.close();
  await store.close();
  await server.stop();
});
