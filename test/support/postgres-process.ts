import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { account, type PostgresInstallation } from './postgres-installation.js';

export interface PostgresAddress {
  /** Address of one of the server's databases, user and password included. */
  databaseUrl(name: string): string;
}

export interface TestPostgres extends PostgresAddress {
  readonly port: number;
  /** Ends the server at once, as a crash would: no checkpoint, no farewell. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same data. */
  start(): Promise<void>;
  /** Ends the server for good and removes its data. */
  stop(): Promise<void>;
}

const password = 'secret-of-the-tests';

/**
 * Creates a server in `folder` and starts it. It lives no longer than the process `guardedPid`: a guard, which
 * survives a killed test run, stops it and removes the folder.
 */
export async function launch(
  folder: string,
  installation: PostgresInstallation,
  guardedPid: number,
): Promise<TestPostgres> {
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  chmodSync(folder, 0o755);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o644 });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(data, account.uid, account.gid);
  const initdb = ['-D', data, '-U', 'endstop', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'];
  initdb.push('-A', 'scram-sha-256', `--pwfile=${passwordFile}`);
  await promisify(execFile)(join(installation.bin, 'initdb'), initdb, { ...account, cwd: '/' });

  const port = await freePort();
  const databaseUrl = (name: string) => `postgres://endstop:${password}@127.0.0.1:${port}/${name}`;
  let server: ChildProcess | null = null;
  const start = async () => {
    server = await serve(installation, data, port, databaseUrl('postgres'));
  };
  const end = async (signal: NodeJS.Signals) => {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    // Waiting for its end is a reason to stay alive, its running is none.
    server.ref();
    const gone = new Promise((resolve) => server?.once('exit', resolve));
    server.kill(signal);
    await gone;
  };
  await start();
  guard(guardedPid, folder);
  return {
    port,
    databaseUrl,
    start,
    async kill() {
      const sessions = childrenOf(server?.pid);
      await end('SIGKILL');
      // Sessions notice only when they are idle that their server is gone; in a crash they go with it.
      for (const pid of sessions) killIfThere(pid);
    },
    async stop() {
      // SIGQUIT is Postgres' immediate shutdown: no checkpoint, since the data goes next.
      await end('SIGQUIT');
      removeFolder(folder);
    },
  };
}

function childrenOf(pid: number | undefined): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It had noticed.
  }
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

async function serve(
  installation: PostgresInstallation,
  data: string,
  port: number,
  url: string,
): Promise<ChildProcess> {
  // No fsync: a killed server keeps its writes all the same, only a power cut would lose them.
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  settings.push('max_connections=200', 'shared_buffers=64MB', 'logging_collector=off');
  // A client that gives up while it is asked for a password may leave its server process waiting, and every
  // "drop database" with it.
  settings.push('authentication_timeout=2s');
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const logFile = `${data}.log`;
  const spawnServer = () => {
    const log = openSync(logFile, 'a');
    const started = spawn(join(installation.bin, 'postgres'), args, {
      ...account,
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    // A running server must not keep a finished test process alive.
    started.unref();
    return started;
  };
  let child = spawnServer();
  for (let waitedMs = 0; waitedMs < 30_000; waitedMs += 30) {
    if (await accepts(url)) return child;
    // Right after a kill the dead server's children still hold its memory for a moment.
    if (child.exitCode !== null) child = spawnServer();
    await pause(30);
  }
  child.kill('SIGKILL');
  throw new Error(`The test Postgres did not start: ${readFileSync(logFile, 'utf8').slice(-2_000)}`);
}

async function accepts(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Outlives the test run, so that a killed one leaves neither a server nor a folder behind. */
function guard(guardedPid: number, folder: string): void {
  const script = `
    while kill -0 ${guardedPid} 2>/dev/null && [ -d '${folder}' ]; do sleep 0.5; done
    pid=$(head -n 1 '${folder}/data/postmaster.pid' 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null && sleep 0.5
    rm -rf '${folder}'`;
  spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore', cwd: '/' }).unref();
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('No free port.'));
        else resolve(address.port);
      });
    });
  });
}
