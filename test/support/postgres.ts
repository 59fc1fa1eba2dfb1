import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { migrate } from '../../src/adapters/postgres/migrate.js';
import { installations, type PostgresInstallation, readyInstallation } from './postgres-installation.js';
import { launch, type PostgresAddress, removeFolder, type TestPostgres } from './postgres-process.js';

/** A database of its own with the store's schema in it. */
export interface TestDatabase {
  readonly databaseUrl: string;
  drop(): Promise<void>;
}

export type { PostgresInstallation, TestPostgres };
export { installations };

const template = 'endstop_template';

/**
 * A Postgres server of the caller's own, empty, for tests that stop, kill or restart one. Call `stop()`;
 * should the test process die, a guard stops the server.
 */
export function startTestPostgres(installation?: PostgresInstallation): Promise<TestPostgres> {
  const folder = `/tmp/endstop-postgres-${process.pid}-${randomBytes(4).toString('hex')}`;
  mkdirSync(folder);
  return launch(folder, readyInstallation(installation, folder), process.pid);
}

/**
 * A new, migrated database on the server that all files of one test run share (one per Postgres version).
 * The first caller of a run starts the server; it ends with the run.
 */
export async function createTestDatabase(installation?: PostgresInstallation): Promise<TestDatabase> {
  const server = await sharedServer(installation ?? installations()[0]);
  const admin = new Client({ connectionString: server.databaseUrl('postgres') });
  await admin.connect();
  try {
    await ensureTemplate(admin, server);
    const name = `test_${randomBytes(6).toString('hex')}`;
    await admin.query(`create database ${name} template ${template}`);
    return { databaseUrl: server.databaseUrl(name), drop: () => drop(server, name) };
  } finally {
    await admin.end();
  }
}

async function drop(server: PostgresAddress, name: string): Promise<void> {
  const admin = new Client({ connectionString: server.databaseUrl('postgres') });
  await admin.connect();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
}

async function ensureTemplate(admin: Client, server: PostgresAddress): Promise<void> {
  // Several test files may arrive at once; the lock is given back with the connection at the latest.
  await admin.query('select pg_advisory_lock(1)');
  const found = await admin.query('select 1 from pg_database where datname = $1', [template]);
  if (found.rowCount === 0) {
    // Under another name until it is complete, so that a failed migration leaves no template behind.
    await admin.query(`drop database if exists ${template}_new`);
    await admin.query(`create database ${template}_new`);
    await migrate(server.databaseUrl(`${template}_new`));
    await admin.query(`alter database ${template}_new rename to ${template}`);
  }
  await admin.query('select pg_advisory_unlock(1)');
}

/** Worker processes of one vitest run have the same parent; anything else stands for itself. */
function runPid(): number {
  return process.env['VITEST_WORKER_ID'] === undefined ? process.pid : process.ppid;
}

async function sharedServer(installation: PostgresInstallation | undefined): Promise<PostgresAddress> {
  const chosen = installation?.name ?? 'none';
  const folder = `/tmp/endstop-postgres-run-${runPid()}-${chosen}`;
  const address = `${folder}/address`;
  if (claimFolder(folder)) {
    try {
      const server = await launch(folder, readyInstallation(installation, folder), runPid());
      writeFileSync(address, server.databaseUrl('postgres'));
      return server;
    } catch (error) {
      writeFileSync(address, `failed: ${String(error)}`);
      throw error;
    }
  }
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 50) {
    const text = readIfThere(address);
    if (text?.startsWith('failed')) throw new Error(text);
    if (text !== null) {
      const databaseUrl = (name: string) => text.replace(/\/postgres$/, `/${name}`);
      if (await answers(text)) return { databaseUrl };
      // A leftover of an earlier run whose process id came round again.
      removeFolder(folder);
      return sharedServer(installation);
    }
    await pause(50);
  }
  throw new Error(`The shared test Postgres in ${folder} did not start within a minute.`);
}

function claimFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readIfThere(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8');
    return text === '' ? null : text;
  } catch {
    return null;
  }
}

async function answers(databaseUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
