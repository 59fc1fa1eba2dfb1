import { type Migration, Migrator, sql } from 'kysely';
import { StoreUnavailable } from '../../ports/store.js';
import { type Database, openDatabase } from './connection.js';
import { notMigrated } from './faults.js';
import { migrations } from './migrations/index.js';

/**
 * Brings the database to the schema this code expects. Returns the names it applied, none when it was there
 * already. Safe to run twice at once: the second waits on Kysely's advisory lock and then finds nothing to do.
 *
 * @throws StoreUnavailable when the database cannot be reached, or was migrated by an Endstop that this one
 * cannot share it with.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  // A big table may take minutes to change.
  const database = openDatabase({ databaseUrl, poolSize: 1, statementTimeoutMs: 3_600_000 });
  try {
    const provider = { getMigrations: async (): Promise<Record<string, Migration>> => ({ ...migrations }) };
    // Numbers are given out before they are merged: a lower one may come after a higher one, and they stand alone.
    const migrator = new Migrator({ db: database.db, provider, allowUnorderedMigrations: true });
    const { results, error } = await migrator.migrateToLatest();
    if (error !== undefined) {
      // Kysely stops at a migration it does not know. One that this code can live with leaves nothing to do here.
      const applied = await requireNoneTooNew(database);
      if (Object.keys(migrations).every((name) => applied.has(name))) return [];
      throw error;
    }
    return (results ?? [])
      .filter(({ status }) => status === 'Success')
      .map(({ migrationName }) => migrationName);
  } finally {
    await database.db.destroy();
  }
}

/**
 * Resolves when the database answers and holds every migration of this code. It may hold newer ones, whose floor says that
 * this code still works with them: that is how a deploy looks from its old side.
 *
 * @throws StoreUnavailable otherwise.
 */
export async function requireMigrated(database: Database): Promise<void> {
  const applied = await requireNoneTooNew(database);
  if (Object.keys(migrations).some((name) => !applied.has(name)))
    throw new StoreUnavailable(notMigrated(database.place));
}

/** The names of what was applied. */
async function requireNoneTooNew(database: Database): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database.db,
  );
  const newer = rows.findLast(({ name }) => !Object.hasOwn(migrations, name));
  if (newer !== undefined) {
    const floor = await sql<{ oldest: string }>`select oldest from schema_floor`.execute(database.db);
    const own = Object.keys(migrations).at(-1) ?? '';
    if ((floor.rows[0]?.oldest ?? '') > own)
      throw new StoreUnavailable(
        `The database "${database.place.database}" was migrated by a newer Endstop (${newer.name}): update this one.`,
      );
  }
  return new Set(rows.map(({ name }) => name));
}
