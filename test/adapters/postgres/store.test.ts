import { afterAll, beforeAll, describe } from 'vitest';
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
    await store.close();
    await database.drop();
  });

  storeContract(() => store);
});
