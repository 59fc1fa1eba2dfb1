import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Account, postgresAccount } from './account.js';
import { lastLine, runCommand } from './command.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { errorCode, StackError } from './stack-error.js';

/** Database user of the embedded server. */
export const databaseUser = 'endstop';

/** Below this root keeps the databases of all its stacks: Postgres runs under an account that may not enter root's folders. */
export const rootFolder = '/var/lib/endstop';

/** In each folder there: which state folder it belongs to, so that a person who meets it knows whose it is. */
export const ownerFile = 'belongs-to';

const markFile = 'database-id';

/** Where an embedded Postgres keeps its data and its password, and under whom it runs. */
export interface PostgresFolder {
  readonly path: string;
  readonly data: string;
  readonly passwordFile: string;
  /** Undefined for our own account. */
  readonly account: Account | undefined;
}

/**
 * The folder of the Postgres that belongs to `home`: in `home` itself, or for root below `rootFolder`, since the
 * account that Postgres then runs under may not enter root's own folders. The folder itself stays root's: that account
 * owns nothing but the data, so it cannot redirect what root writes.
 *
 * @throws StackError when it cannot be created.
 */
export function openPostgresFolder(home: string, rootFolder: string): PostgresFolder {
  const isRoot = process.getuid?.() === 0;
  let path = join(home, 'postgres');
  try {
    if (isRoot) {
      markHome(home);
      path = join(rootFolder, homeHash(home));
    }
    if (isRoot) {
      mkdirSync(rootFolder, { recursive: true });
      chmodSync(rootFolder, 0o755);
    }
    mkdirSync(path, { recursive: true });
    chmodSync(path, isRoot ? 0o711 : 0o700);
    writeFileSync(join(path, ownerFile), `${realpathSync(home)}\n`);
  } catch (error) {
    throw new StackError(
      `The folder ${path} for the data of Postgres cannot be created (${errorCode(error)}).`,
    );
  }
  const data = join(path, 'data');
  const account = postgresAccount(statSync(data, { throwIfNoEntry: false })?.uid);
  return { path, data, passwordFile: join(path, 'password'), account };
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
  run: { env: NodeJS.ProcessEnv; signal?: AbortSignal | undefined },
): Promise<void> {
  const { path, account, passwordFile } = folder;
  for (const entry of readdirSync(path)) {
    if (entry.startsWith('draft-')) rmSync(join(path, entry), { recursive: true, force: true });
  }
  const draft = join(path, `draft-${process.pid}`);
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
  if (account !== undefined) {
    for (const owned of [draft, passwordFile]) chownSync(owned, account.uid, account.gid);
  }
  const initdb = await runCommand(
    join(binaries.folder, 'initdb'),
    [
      ...['-D', draft, '-U', databaseUser, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale=C', '--no-instructions'],
    ],
    { ...run, account, cwd: path, timeoutMs: 120_000 },
  );
  if (initdb.code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new StackError(
      `Postgres ${binaries.version} could not create its data folder: ${lastLine(initdb.stderr)}`,
    );
  }
  try {
    renameSync(draft, folder.data);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw new StackError(
      `${folder.data} is in the way (${errorCode(error)}): it is no database of Postgres. Move it away and start again.`,
    );
  }
}

/** @throws what the file system says. */
function markHome(home: string): void {
  try {
    writeFileSync(join(home, markFile), randomBytes(8).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Names the folder after the place of `home` and a mark inside it: whoever removes `home` to begin anew gets a new
 * database too, not the old one beside an engine that knows nothing of it.
 */
export function homeHash(home: string): string {
  const name = `${realpathSync(home)}\n${readFileSync(join(home, markFile), 'utf8')}`;
  return createHash('sha256').update(name).digest('hex').slice(0, 16);
}
