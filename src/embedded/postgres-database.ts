import pg from 'pg';
import { errorCode, StackError } from './stack-error.js';

/** Server versions are numbers such as 150018 for 15.18. */
const oldestVersion = 150_000;

/**
 * Checks that a Postgres given by DATABASE_URL answers and is recent enough.
 *
 * @throws StackError that names host, port and database, never the password.
 */
export async function checkDatabase(databaseUrl: string): Promise<void> {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl) || !URL.canParse(databaseUrl)) {
    throw new StackError(
      'DATABASE_URL is not an address of the form postgresql://user:password@host:5432/database.',
    );
  }
  const url = new URL(databaseUrl);
  const place = `${url.hostname}:${url.port || '5432'}${url.pathname}`;
  const version = await ask(databaseUrl, 'show server_version_num').catch((error: unknown) => {
    throw new StackError(
      `The Postgres at ${place} (DATABASE_URL) cannot be used: ${reason(error)}. Start it or correct DATABASE_URL.`,
    );
  });
  if (Number(version) < oldestVersion) {
    throw new StackError(
      `The Postgres at ${place} (DATABASE_URL) is too old (${version}); Endstop needs 15 or newer.`,
    );
  }
}

/** Creates `database` on a server just started, when it is not there yet. */
export async function createDatabase(serverUrl: string, database: string): Promise<void> {
  const exists = await ask(serverUrl, `select 1 from pg_database where datname = '${database}'`);
  if (exists !== undefined) return;
  await ask(serverUrl, `create database ${database}`);
}

/** Runs one statement on a connection of its own; the first value of the first row as text, if there is one. */
async function ask(databaseUrl: string, statement: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  // A server that goes away between two statements must not end the process with an unhandled error event.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(statement);
    const value = Object.values(result.rows[0] ?? {})[0];
    return value === undefined ? undefined : String(value);
  } finally {
    await client.end();
  }
}

function reason(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name is unknown';
  if (code === '28P01' || code === '28000') return 'user or password is refused';
  if (code === '3D000') return 'the database does not exist';
  if (code === '57P03') return 'it is starting or stopping';
  return error instanceof Error && error.message !== '' ? error.message : 'it does not answer';
}
