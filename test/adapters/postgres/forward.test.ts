import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, type Migration, Migrator, PostgresDialect } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../src/adapters/postgres/migrate.js';
import { migrations } from '../../../src/adapters/postgres/migrations/index.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { replayStatements, type Statement } from '../../support/statements.js';

const folder = join(import.meta.dirname, '../../fixtures/statements');
const recorded = readdirSync(folder).map((file) => {
  const days = JSON.parse(readFileSync(join(folder, file), 'utf8')) as readonly (readonly Statement[])[];
  return { level: file.replace('.json', ''), days };
});

/** A database as the version of this level left it. */
async function databaseAt(level: string): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.databaseUrl });
  await pool.query('drop schema public cascade');
  await pool.query('create schema public');
  const upTo = Object.entries(migrations).filter(([name]) => name <= level);
  const provider = {
    getMigrations: async (): Promise<Record<string, Migration>> => Object.fromEntries(upTo),
  };
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  await db.destroy();
  if (error !== undefined) throw error;
  return database;
}

const countOf = async ({ databaseUrl }: TestDatabase, table: string): Promise<number> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${table}`);
  await client.end();
  return Number(rows[0]?.count);
};

describe.each(recorded)('the version whose last migration was $level', ({ level, days }) => {
  it('goes on reading and writing after a newer one migrated its database', async () => {
    const [before, after] = days;
    if (before === undefined || after === undefined) throw new Error('two days are recorded');
    expect(before.length).toBeGreaterThan(40);
    const database = await databaseAt(level);
    expect(await replayStatements(database.databaseUrl, before)).toEqual([]);
    const runs = await countOf(database, 'extractions');
    const records = await countOf(database, 'records');
    expect(runs).toBeGreaterThanOrEqual(5);
    expect(records).toBeGreaterThanOrEqual(3);

    await migrate(database.databaseUrl);
    expect(await countOf(database, 'extractions')).toBe(runs);
    expect(await replayStatements(database.databaseUrl, after)).toEqual([]);
    expect(await countOf(database, 'extractions')).toBe(2 * runs);
    expect(await countOf(database, 'records')).toBe(2 * records);
    await database.drop();
  });
});

/** Whether this version is released, and nobody recorded its statements: the next one could not be held to them. */
function isUnrecorded(changelog: string, levels: readonly string[], kept: readonly string[]): boolean {
  const [, unreleased] = /^## \d+\.\d+\.\d+( \(unreleased\))?/m.exec(changelog) ?? [];
  return unreleased === undefined && !kept.includes(levels.at(-1) ?? '');
}

describe('the statements of old versions', () => {
  it('are kept of the version that CHANGELOG.md calls released: npm run statements records them', () => {
    const levels = recorded.map(({ level }) => level);
    const changelog = readFileSync('CHANGELOG.md', 'utf8');
    expect(isUnrecorded(changelog, Object.keys(migrations), levels)).toBe(false);
  });

  it.each([
    ['being worked on', '# Changelog\n\n## 0.2.0 (unreleased)\n\n## 0.1.0\n', ['1', '2', '3'], ['1'], false],
    ['released with a new migration', '## 0.2.0\n\n## 0.1.0\n', ['1', '2', '3'], ['1', '2'], true],
    ['released with a recording', '## 0.2.0\n\n## 0.1.0\n', ['1', '2', '3'], ['1', '3'], false],
    ['released with the migrations of the one before', '## 0.2.0\n', ['1', '2'], ['2'], false],
  ])('are missed of a version %s: or not', (_name, changelog, levels, kept, missed) => {
    expect(isUnrecorded(changelog, levels, kept)).toBe(missed);
  });

  it('would show a column that is gone', async () => {
    const [oldest] = recorded;
    if (oldest === undefined) throw new Error('no statements are kept');
    const database = await databaseAt(oldest.level);
    const client = new pg.Client({ connectionString: database.databaseUrl });
    await client.connect();
    await client.query('alter table extractions rename column file_name to name_of_file');
    await client.end();
    expect((await replayStatements(database.databaseUrl, oldest.days[0] ?? []))[0]).toMatch(/file_name/);
    await database.drop();
  });
});
