import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeCommand } from '../../src/embedded/node-command.js';
import { otherPort } from '../../src/embedded/ports.js';
import { findPostgres } from '../../src/embedded/postgres-binaries.js';
import { checkDatabase } from '../../src/embedded/postgres-database.js';
import { openPostgresFolder } from '../../src/embedded/postgres-folder.js';
import {
  type PostgresOptions,
  type RunningPostgres,
  startPostgres,
} from '../../src/embedded/postgres-server.js';
import { livePostmaster } from '../../src/embedded/postmaster.js';
import { isAlive, markProcess } from '../../src/embedded/process-identity.js';
import { databaseTemplate } from './database-template.js';
import { isRoot, nobody, run, scratchFolder, until } from './scratch.js';

/** A state folder without a database and, for root, a place for the data that its Postgres can reach. */
async function empty(): Promise<PostgresOptions> {
  const folder = scratchFolder();
  const home = join(folder, '.endstop');
  mkdirSync(home);
  const onProgress = () => undefined;
  const port = await otherPort();
  return { home, port, rootFolder: join(folder, 'var'), env: process.env, onProgress, onStarted: onProgress };
}

const copyDatabase = databaseTemplate();

/** The same with a database that was stopped in order. */
async function given(): Promise<PostgresOptions> {
  const options = await empty();
  await copyDatabase(options.home, options.rootFolder ?? '');
  return options;
}

async function started(options: PostgresOptions): Promise<RunningPostgres> {
  const postgres = await startPostgres(options);
  onTestFinished(() => postgres.child.stop());
  return postgres;
}

async function ask(databaseUrl: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // Servers are killed under it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

const dataFolder = ({ home, rootFolder = '' }: PostgresOptions) => openPostgresFolder(home, rootFolder).data;
const portOf = (databaseUrl: string) => Number(new URL(databaseUrl).port);

describe('the Postgres that Endstop runs', () => {
  it('keeps every write, asks for a password, and listens on loopback only', async () => {
    const options = await given();
    const { databaseUrl, child } = await started(options);
    const settings =
      'fsync full_page_writes synchronous_commit listen_addresses unix_socket_directories server_encoding';
    const values = settings.split(' ').map((name) => `current_setting('${name}')`);
    expect(await ask(databaseUrl, `select ${values.join(', ')}`)).toEqual([
      'on',
      'on',
      'on',
      '127.0.0.1',
      '',
      'UTF8',
    ]);
    const wrong = new URL(databaseUrl);
    wrong.password = 'guessed';
    await expect(ask(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    expect(readFileSync(child.logPath, 'utf8')).toContain('ready to accept connections');
    expect(statSync(join(dataFolder(options), '..', 'password')).mode & 0o077).toBe(0);
    expect(statSync(dataFolder(options)).mode & 0o077).toBe(0);
  });

  it('has its data again after a stop', async () => {
    const options = await given();
    const first = await started(options);
    await ask(first.databaseUrl, 'create table t as select 42 as n');
    await first.child.stop();
    expect(await first.child.exited).toBe('exit code 0');
    const second = await started(options);
    expect(await ask(second.databaseUrl, 'select n from t')).toEqual([42]);
  });

  it('has every acknowledged row after kill -9, restarted at once, three times over', async () => {
    const options = await given();
    let rows = 0;
    for (let round = 0; round < 3; round += 1) {
      const { databaseUrl, child } = await started(options);
      await ask(databaseUrl, 'create table if not exists t (n int)');
      expect(await ask(databaseUrl, 'select count(*)::int from t')).toEqual([rows]);
      for (let row = 0; row < 20; row += 1) await ask(databaseUrl, `insert into t values (${row})`);
      rows += 20;
      process.kill(child.record.pid, 'SIGKILL');
      // On a busy machine a moment later: until then it is still there to be asked.
      await child.exited;
    }
    const { databaseUrl } = await started(options);
    expect(await ask(databaseUrl, 'select count(*)::int from t')).toEqual([rows]);
  });

  it('waits for a session of a killed server to end before a new server touches the data', async () => {
    const options = await given();
    const { databaseUrl, child } = await started(options);
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const session = markProcess(rows[0]?.pid ?? 0);
    if (session === undefined) throw new Error('the session is not there');
    // It computes, so it does not notice that its server is gone.
    const loop = "begin while clock_timestamp() < now() + interval '5 s' loop end loop; end";
    const busy = client.query(`do $$ ${loop} $$`).catch(() => undefined);
    await until('it computes', async () => {
      const active = `select count(*)::int from pg_stat_activity where pid = ${session.pid} and state = 'active'`;
      return (await ask(databaseUrl, active))[0] === 1;
    });
    process.kill(child.record.pid, 'SIGKILL');
    await child.exited;
    expect(isAlive(session)).toBe(true);
    const sessions: boolean[] = [];
    const next = await started({ ...options, onStarted: () => sessions.push(isAlive(session)) });
    expect(sessions).toEqual([false]);
    expect(await ask(next.databaseUrl, 'select 1')).toEqual([1]);
    await busy;
  });

  it('is taken over when it still works, and stopped like a child', async () => {
    const options = await given();
    const first = await started(options);
    const second = await started(options);
    expect(second.databaseUrl).toBe(first.databaseUrl);
    expect(second.child.record.pid).toBe(first.child.record.pid);
    await second.child.stop();
    expect(await second.child.exited).toContain('an unknown end');
    expect(await first.child.exited).toBe('exit code 0');
  });

  it('starts although the lock file names a process that is alive but a stranger', async () => {
    const options = await given();
    const first = await started(options);
    await first.child.stop();
    // Under the same account, or Postgres would see by itself that it is none of its own.
    const { account } = openPostgresFolder(options.home, options.rootFolder ?? '');
    const stranger = spawn(
      'sleep',
      ['60'],
      account === undefined ? {} : { uid: account.uid, gid: account.gid },
    );
    onTestFinished(() => void stranger.kill());
    const data = dataFolder(options);
    writeFileSync(
      join(data, 'postmaster.pid'),
      `${stranger.pid}\n${data}\n1\n5439\n\n127.0.0.1\n 1 1\nready\n`,
    );
    const second = await started(options);
    expect(livePostmaster(data)?.pid).toBe(second.child.record.pid);
    expect(stranger.exitCode).toBeNull();
  });

  it('starts after an earlier start was killed while it created the data', async () => {
    const options = await empty();
    const half = join(dataFolder(options), '..', 'draft-4711');
    mkdirSync(half);
    writeFileSync(join(half, 'PG_VERSION'), '18\n');
    const { databaseUrl } = await started(options);
    expect(await ask(databaseUrl, 'select 1')).toEqual([1]);
    expect(statSync(half, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('says what to do with a folder in the place of its data that is no database', async () => {
    const options = await empty();
    mkdirSync(join(dataFolder(options), 'something'), { recursive: true });
    await expect(startPostgres(options)).rejects.toThrow(
      /data is in the way .* Move it away and start again\.$/,
    );
  });

  it('takes another port when its own was taken meanwhile', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const taken = typeof address === 'object' && address !== null ? address.port : 0;
    const { databaseUrl } = await started({ ...(await given()), port: taken });
    expect(portOf(databaseUrl)).not.toBe(taken);
    expect(await ask(databaseUrl, 'select 1')).toEqual([1]);
  });

  it('reports what Postgres said when the data are damaged', async () => {
    const options = await given();
    const first = await started(options);
    await first.child.stop();
    writeFileSync(join(dataFolder(options), 'postgresql.conf'), 'no_such_setting = 1\n');
    const failure = await startPostgres(options).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'StackError',
      message: /^postgres ended while starting \(exit code 1\)/,
    });
    expect(String((failure as { logLines: string[] }).logLines)).toContain('no_such_setting');
  });

  it.runIf(isRoot)("does not run as root, and nothing but the data is its account's own", async () => {
    const options = await given();
    const { child } = await started(options);
    expect(statSync(`/proc/${child.record.pid}`).uid).not.toBe(0);
    const folder = join(dataFolder(options), '..');
    expect(statSync(folder).uid).toBe(0);
    expect(statSync(dataFolder(options)).uid).toBe(statSync(`/proc/${child.record.pid}`).uid);
  });

  it('runs on an installed version too, and names the version it misses when that goes away', async () => {
    const options = await empty();
    const search = {
      env: process.env,
      account: openPostgresFolder(options.home, options.rootFolder ?? '').account,
    };
    const elsewhere = { ...search, copyFolder: scratchFolder(), packaged: '/nowhere' };
    const installed = await findPostgres({ ...elsewhere, dataMajor: undefined }).catch(() => undefined);
    if (installed !== undefined) {
      const { databaseUrl, version } = await started({ ...options, binaries: installed });
      expect(await ask(databaseUrl, 'show server_version')).toEqual([expect.stringContaining(version)]);
    }
    await expect(findPostgres({ ...elsewhere, dataMajor: 14 })).rejects.toThrow('was written by Postgres 14');
  });
});

describe('a Postgres given by DATABASE_URL', () => {
  it('is used when it answers, and refused in one sentence without its password when it does not', async () => {
    const { databaseUrl, child } = await started(await given());
    await expect(checkDatabase(databaseUrl)).resolves.toBeUndefined();
    const wrong = new URL(databaseUrl);
    wrong.password = 'guessed-by-nobody';
    await expect(checkDatabase(wrong.href)).rejects.toThrow('user or password is refused');
    wrong.href = databaseUrl;
    wrong.pathname = '/missing';
    await expect(checkDatabase(wrong.href)).rejects.toThrow('the database does not exist');
    await child.stop();
    const failure = await checkDatabase(databaseUrl).catch((error: unknown) => String(error));
    expect(failure).toMatch(
      /The Postgres at 127\.0\.0\.1:\d+\/endstop \(DATABASE_URL\) cannot be used: nothing listens/,
    );
    expect(failure).not.toContain(new URL(databaseUrl).password);
  });

  it.each(['', 'mysql://host/db', 'postgresql', '/var/run'])(
    'must be an address of Postgres, which "%s" is not',
    async (text) => {
      await expect(checkDatabase(text)).rejects.toThrow('not an address of the form postgresql://');
    },
  );
});

it.runIf(isRoot)('a normal user has the data in the state folder, with the binaries in place', async () => {
  const options = await empty();
  chownSync(options.home, nobody, nobody);
  const [file = '', ...args] = nodeCommand(new URL('./normal-user.ts', import.meta.url), options.home);
  const { stdout } = await run(file, args, { env: { PATH: process.env['PATH'] } });
  expect(JSON.parse(stdout)).toEqual({ uid: nobody, owner: nobody, end: 'exit code 0' });
});
