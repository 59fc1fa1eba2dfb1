import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.js';
import { lastLogLines } from './log-file.js';
import { pause } from './pause.js';
import { otherPort } from './ports.js';
import { findPostgres, type PostgresBinaries } from './postgres-binaries.js';
import { createDatabase } from './postgres-database.js';
import {
  databaseUser,
  dataMajor,
  rootFolder as defaultRootFolder,
  initialiseData,
  openPostgresFolder,
  type PostgresFolder,
} from './postgres-folder.js';
import { clearStalePidFile, livePostmaster, type Postmaster } from './postmaster.js';
import {
  adoptProcess,
  type Child,
  type ProcessRecord,
  type StopPlan,
  startProcess,
  waitUntilReady,
} from './process.js';
import { StackError } from './stack-error.js';

/** SIGINT is Postgres' fast shutdown: sessions are ended, everything is written. */
const stopPlan: StopPlan = { stopSignal: 'SIGINT', stopGraceMs: 20_000 };
/** How long recovery after a crash may take, and how long leftovers of a killed server may linger. */
const readyMs = 60_000;
const database = 'endstop';

export interface PostgresOptions {
  readonly home: string;
  /** A port that was free a moment ago; another is taken when it is not any more. */
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
  readonly onProgress: (message: string) => void;
  /** Called as soon as the process runs, before it answers. */
  readonly onStarted: (record: ProcessRecord) => void;
  readonly signal?: AbortSignal | undefined;
  /** Where root's data goes; another place in tests. */
  readonly rootFolder?: string;
  /** Folder of the binaries to use, instead of searching. */
  readonly binaries?: PostgresBinaries;
}

export interface RunningPostgres {
  readonly databaseUrl: string;
  readonly version: string;
  readonly child: Child;
}

/**
 * Runs the Postgres that belongs to `home`: creates its data at the first start, adopts it when it still runs, waits
 * for the leftovers of a killed one. It listens on loopback only, asks for a password and writes with fsync on.
 *
 * @throws StackError when none is found, or it does not start.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { home, env } = options;
  const rootFolder = options.rootFolder ?? defaultRootFolder;
  const folder = openPostgresFolder(home, rootFolder);
  const binaries =
    options.binaries ??
    (await findPostgres({
      env: bareEnvironment(env),
      account: folder.account,
      copyFolder: folder.account === undefined ? cacheFolder(env, home) : rootFolder,
      dataMajor: dataMajor(folder),
    }));
  if (dataMajor(folder) === undefined) {
    options.onProgress(`creating the database folder with Postgres ${binaries.version}`);
    await initialiseData(folder, binaries, { env: bareEnvironment(env), signal: options.signal });
  }
  const { child, port } = await run(options, folder, binaries);
  const password = encodeURIComponent(readFileSync(folder.passwordFile, 'utf8').trim());
  const serverUrl = `postgresql://${databaseUser}:${password}@127.0.0.1:${port}`;
  await createDatabase(`${serverUrl}/postgres`, database);
  return { databaseUrl: `${serverUrl}/${database}`, version: binaries.version, child };
}

async function run(
  options: PostgresOptions,
  folder: PostgresFolder,
  binaries: PostgresBinaries,
): Promise<{ child: Child; port: number }> {
  const logFolder = join(options.home, 'logs');
  const until = Date.now() + readyMs;
  for (let port = options.port; ; ) {
    const live = livePostmaster(folder.data);
    if (live?.isReady === true) {
      const record = { name: 'postgres', pid: live.pid, identity: live.identity, ...stopPlan };
      options.onProgress(`Postgres of an earlier run still works (process ${live.pid}); taking it over`);
      options.onStarted(record);
      return { child: adoptProcess(record, join(logFolder, 'postgres.log')), port: live.port };
    }
    if (live === undefined && clearStalePidFile(folder.data)) {
      const child = await startProcess(
        {
          name: 'postgres',
          command: [join(binaries.folder, 'postgres'), '-D', folder.data, ...settings(port)],
          env: bareEnvironment(options.env),
          cwd: folder.path,
          account: folder.account,
          ...stopPlan,
        },
        logFolder,
      );
      options.onStarted(child.record);
      const failure = await waitUntilReady(child, () => isReady(folder, child), readyMs, options.signal).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) return { child, port };
      await child.stop();
      const log = lastLogLines(child.logPath, 40).join('\n');
      if (log.includes('Address already in use')) port = await otherPort();
      else if (!/lock file .* already exists|pre-existing shared memory block/.test(log)) throw failure;
    }
    if (options.signal?.aborted === true || Date.now() > until) {
      throw new StackError(
        `An earlier Postgres still works on ${folder.data} (${describe(live)}) and neither answers nor ends; end it and start again.`,
      );
    }
    await pause(200, options.signal);
  }
}

function isReady(folder: PostgresFolder, child: Child): boolean {
  const live = livePostmaster(folder.data);
  return live?.pid === child.record.pid && live.isReady;
}

function describe(live: Postmaster | undefined): string {
  return live === undefined ? 'one of its sessions' : `process ${live.pid}`;
}

/** Loopback, no socket file (its path could be too long for one), logs to our own file. Durability stays at its defaults. */
function settings(port: number): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    logging_collector: 'off',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Neither PG… variables, which would redirect it, nor our keys reach the server. */
function bareEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { PATH: env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}
