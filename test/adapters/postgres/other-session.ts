import pg from 'pg';
import { createPostgresStore } from '../../../src/adapters/postgres/store.js';
import type { Store } from '../../../src/ports/store.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

/** A store, and a session beside its own which stands still in the middle of something. */
export interface WithOtherSession {
  readonly database: TestDatabase;
  readonly store: Store;
  readonly other: pg.Client;
  close(): Promise<void>;
}

export async function openWithOtherSession(): Promise<WithOtherSession> {
  const database = await createTestDatabase();
  const store = createPostgresStore({ databaseUrl: database.databaseUrl });
  const other = new pg.Client({ connectionString: database.databaseUrl });
  await other.connect();
  const close = async () => {
    await other.end();
    await store.close();
    await database.drop();
  };
  return { database, store, other, close };
}

/** Whether somebody waits for what this session holds. */
export async function isWaitedFor(session: pg.Client): Promise<boolean> {
  const waiting = 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
  return ((await session.query(waiting)).rowCount ?? 0) > 0;
}
