import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresStore } from '../../../src/adapters/postgres/store.js';
import type { Store } from '../../../src/ports/store.js';
import { storeContract } from '../../contract/store.suite.js';
import { createTestDatabase, installations, type TestDatabase } from '../../support/postgres.js';

describe.each(installations())('the store on Postgres ($name)', (installation) => {
  let database: TestDatabase;
  let store: Store;

  beforeAll(async () => {
    database = await createTestDatabase(installation);
    store = createPostgresStore({ databaseUrl: database.databaseUrl });
  });

  afterAll(async () => {
    await database.drop();
  });

  storeContract(() => store);

  it('went through all of it without a deadlock: every statement takes its rows in one order', async () => {
    const client = new pg.Client({ connectionString: database.databaseUrl });
    await client.connect();
    // A session's statistics are complete once it is gone.
    await store.close();
    const statistics = async () => {
      const { rows } = await client.query(
        'select numbackends, deadlocks::int, xact_commit::int from pg_stat_database where datname = current_database()',
      );
      return rows[0];
    };
    while ((await statistics()).numbackends > 1) await pause(20);
    const { deadlocks, xact_commit } = await statistics();
    await client.end();
    expect(xact_commit).toBeGreaterThan(500);
    expect(deadlocks).toBe(0);
  });
});
