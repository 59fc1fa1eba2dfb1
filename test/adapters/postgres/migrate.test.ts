import pg from 'pg';
import { expect, it } from 'vitest';
import { migrate } from '../../../src/adapters/postgres/migrate.js';
import { migrations } from '../../../src/adapters/postgres/migrations/index.js';
import { createPostgresStore } from '../../../src/adapters/postgres/store.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

/** A database without any table. */
async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  await client.query('drop schema public cascade');
  await client.query('create schema public');
  await client.end();
  return database;
}

it('applies every migration in order, once, however many migrate at the same moment', async () => {
  const database = await emptyDatabase();
  const names = Object.keys(migrations);
  const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(database.databaseUrl)));
  expect(applied.flat()).toEqual(names);
  expect(names).toEqual([...names].sort());
  expect(await migrate(database.databaseUrl)).toEqual([]);
  const store = createPostgresStore({ databaseUrl: database.databaseUrl });
  await store.ping();
  await store.close();
  await database.drop();
});
