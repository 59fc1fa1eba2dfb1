import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { migrations } from '../src/adapters/postgres/migrations/index.js';
import { createPostgresStore } from '../src/adapters/postgres/store.js';
import { createTestDatabase } from '../test/support/postgres.js';
import { liveThrough } from '../test/support/statement-scenario.js';
import { recordStatements } from '../test/support/statements.js';

/**
 * Records the statements of this version of the store, in two days, into test/fixtures/statements/<its last migration>:
 * the second day is sent again after newer migrations. Recorded once per release, as histories are.
 */
const level = Object.keys(migrations).at(-1) ?? '';
const folder = new URL('../test/fixtures/statements/', import.meta.url);
const file = new URL(`${level}.json`, folder);
if (existsSync(file)) {
  process.stderr.write(`The statements of ${level} are there already.\n`);
  process.exit(1);
}
const database = await createTestDatabase();
const store = createPostgresStore({ databaseUrl: database.databaseUrl, poolSize: 1 });
const days = [
  await recordStatements(() => liveThrough(store, 'first-day')),
  await recordStatements(() => liveThrough(store, 'second-day')),
];
await store.close();
await database.drop();
mkdirSync(folder, { recursive: true });
writeFileSync(file, `${JSON.stringify(days, null, 1)}\n`);
process.stdout.write(`Recorded ${days.flat().length} statements at ${level}.\n`);
process.exit(0);
