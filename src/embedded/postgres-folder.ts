import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Account } from './account.js';
import { lastLine, runCommand } from './command.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { errorCode, StackError } from './stack-error.js';

/** Database user of the embedded server. */
export const databaseUser = 'endstop';

/** Where an embedded Postgres keeps its data and its password. */
export interface PostgresFolder {
  readonly path: string;
  readonly data: string;
  readonly passwordFile: string;
}

/**
 * The folder of the Postgres that belongs to `home`: in `home` itself, or for root below `rootFolder`, since the
 * account that Postgres then runs under may not enter root's own folders.
 *
 * @throws StackError when it cannot be created.
 */
export function openPostgresFolder(
  home: string,
  account: Account | undefined,
  rootFolder: string,
): PostgresFolder {
  const path = account === undefined ? join(home, 'postgres') : join(rootFolder, homeHash(home));
  try {
    if (account !== undefined) {
      mkdirSync(rootFolder, { recursive: true });
      chmodSync(rootFolder, 0o755);
    }
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (account !== undefined) chownSync(path, account.uid, account.gid);
    // So that a person who meets the folder knows whose it is.
    writeFileSync(join(path, 'belongs-to'), `${realpathSync(home)}\n`);
  } catch (error) {
    throw new StackError(
      `The folder ${path} for the data of Postgres cannot be created (${errorCode(error)}).`,
    );
  }
  return { path, data: join(path, 'data'), passwordFile: join(path, 'password') };
}

/** The major version that wrote the data, or undefined when there is none yet. */
export function dataMajor(folder: PostgresFolder): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(folder.data, 'PG_VERSION'), 'utf8'), 10);
  } catch {
    return undefined;
  }
}

/**
 * Initialises the data folder: UTF-8, the C locale (the same order on every machine), passwords also on loopback. Done
 * in a draft and renamed, so that a start killed in the middle leaves nothing that looks like a database.
 *
 * @throws StackError with what initdb said last.
 */
export async function initialiseData(
  folder: PostgresFolder,
  binaries: PostgresBinaries,
  run: { env: NodeJS.ProcessEnv; account: Account | undefined; signal?: AbortSignal | undefined },
): Promise<void> {
  for (const entry of readdirSync(folder.path)) {
    if (entry.startsWith('draft-')) rmSync(join(folder.path, entry), { recursive: true, force: true });
  }
  if (!existsSync(folder.passwordFile)) {
    writeFileSync(folder.passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
  }
  if (run.account !== undefined) chownSync(folder.passwordFile, run.account.uid, run.account.gid);
  const draft = join(folder.path, `draft-${process.pid}`);
  const initdb = await runCommand(
    join(binaries.folder, 'initdb'),
    [
      ...['-D', draft, '-U', databaseUser, `--pwfile=${folder.passwordFile}`, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale=C', '--no-instructions'],
    ],
    { ...run, cwd: folder.path, timeoutMs: 120_000 },
  );
  if (initdb.code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new StackError(
      `Postgres ${binaries.version} could not create its data folder: ${lastLine(initdb.stderr)}`,
    );
  }
  renameSync(draft, folder.data);
}

function homeHash(home: string): string {
  return createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 16);
}
