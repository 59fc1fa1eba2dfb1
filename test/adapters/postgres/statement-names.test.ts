import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/adapters/postgres/connection.js';
import { statementNames } from '../../../src/adapters/postgres/statement-names.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createTestDatabase();
});
afterAll(async () => {
  await database.db.destroy();
  await server.drop();
});
beforeEach(async () => {
  await database?.db.destroy();
  database = openDatabase({ databaseUrl: server.databaseUrl, poolSize: 1 });
  await sql`drop table if exists things`.execute(database.db);
  await sql`create table things as select 1 as one`.execute(database.db);
});

const things = async () => (await sql`select * from things where one = ${1}`.execute(database.db)).rows;
const prepared = async () =>
  (await sql<{ name: string }>`select name from pg_prepared_statements`.execute(database.db)).rows.length;
const repeat = async () => {
  for (let time = 0; time < 10; time += 1) expect(await things()).toHaveLength(1);
};

describe('a statement that comes again and again', () => {
  it('is prepared once, and one that came once is not', async () => {
    expect(await prepared()).toBe(0);
    await repeat();
    expect(await prepared()).toBe(1);
  });

  it('goes on when a migration gave its table another column', async () => {
    await repeat();
    await sql`alter table things add column two int`.execute(database.db);
    expect(await things()).toEqual([{ one: 1, two: null }]);
    await repeat();
  });

  it('goes on without names where a pooler hands out other sessions', async () => {
    await repeat();
    await sql`deallocate all`.execute(database.db);
    await repeat();
    expect(await prepared()).toBe(0);
  });

  it('has no name inside of a transaction, which an outdated one would break', async () => {
    await database.db.transaction().execute(async (transaction) => {
      for (let time = 0; time < 10; time += 1) {
        await sql`select * from things where one = ${1}`.execute(transaction);
      }
    });
    expect(await prepared()).toBe(0);
    await repeat();
    expect(await prepared()).toBe(1);
  });
});

describe('the names of statements', () => {
  it('are at most a hundred, however many statements there are', () => {
    const names = statementNames();
    const given = new Set<string>();
    for (let statement = 0; statement < 2_000; statement += 1) {
      for (let time = 0; time < 6; time += 1) {
        const name = names.of(`select ${statement}`);
        if (name !== undefined) given.add(name);
      }
    }
    expect(given.size).toBe(100);
  });
});
