import { type Migration, Migrator, sql } from 'kysely';
import { StoreUnavailable } from '../../ports/store.js';
import { type Database, openDatabase } from './connection.js';
import { notMigrated } from './faults.js';
import { migrations } from './migrations/index.js';

/**
 * Brings the database to the schema this code expects. Returns the names it applied, none when it was there
 * already. Safe to run twice at once: the second waits on Kysely's advisory lock and then finds nothing to do.
 *
 * @throws StoreUnavailable when the database cannot be reached, or was migrated by a newer Endstop.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  // A big table may take minutes to change.
  const database = openDatabase({ databaseUrl, poolSize: 1, statementTimeoutMs: 3_600_000 });
  try {
    const provider = { getMigrations: async (): Promise<Record<string, Migration>> => ({ ...migrations }) };
    const { results, error } = await new Migrator({ db: database.db, provider }).migrateToLatest();
    if (error !== undefined) {
      await requireNoNewer(database);
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
 * Resolves when the database answers and holds exactly the migrations of this code.
 *
 * @throws StoreUnavailable otherwise.
 */
export async function requireMigrated(database: Database): Promise<void> {
  const applied = await requireNoNewer(database);
  if (applied < Object.keys(migrations).length) throw new StoreUnavailable(notMigrated(database.place));
}

async function requireNoNewer(database: Database): Promise<number> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database.db);
  const newer = rows.find(({ name }) => !Object.hasOwn(migrations, name));
  if (newer !== undefined)
    throw new StoreUnavailable(
      `The database "${database.place.database}" was migrated by a newer Endstop (${newer.name}): update this one.`,
    );
  return rows.length;
}
