import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { orphanDatabases, removeOrphans } from '../../src/embedded/orphan-databases.js';
import { openPostgresFolder } from '../../src/embedded/postgres-folder.js';
import { orphanText } from '../../src/main/doctor-checks.js';
import { isRoot, scratchFolder } from './scratch.js';

/** Only root keeps databases apart from their state folders. */
it.runIf(isRoot)('databases of folders that are gone are found and deleted, and no others', () => {
  const root = join(scratchFolder(), 'var');
  const homes = scratchFolder();
  const keptFor = (name: string) => {
    const home = join(homes, name);
    mkdirSync(home);
    return { home, path: openPostgresFolder(home, root).path };
  };
  const [kept, gone, anew] = [keptFor('kept'), keptFor('gone'), keptFor('anew')];
  rmSync(gone.home, { recursive: true });
  rmSync(anew.home, { recursive: true });
  mkdirSync(anew.home);
  const anewPath = openPostgresFolder(anew.home, root).path;
  const unmarked = keptFor('unmarked');
  rmSync(join(unmarked.home, 'database-id'));
  // What nobody can tell whose it is stays, whatever it is called.
  const strange = join(root, '0123456789abcdef');
  mkdirSync(strange);
  mkdirSync(join(root, 'other'));
  writeFileSync(join(root, 'other', 'belongs-to'), '/gone\n');

  const orphans = [gone, anew].map(({ home, path }) => ({ path, home }));
  const inOrder = orphans.toSorted((one, other) => (basename(one.path) < basename(other.path) ? -1 : 1));
  expect(orphanDatabases(root).toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual(inOrder);
  expect(removeOrphans(root)).toHaveLength(2);
  expect(
    [kept.path, anewPath, unmarked.path, strange, join(root, 'other')].every((path) => existsSync(path)),
  ).toBe(true);
  expect([gone.path, anew.path].some((path) => existsSync(path))).toBe(false);
  expect(orphanDatabases(root)).toEqual([]);
});

it('the doctor names some of them, and how to be rid of them', () => {
  const found = Array.from({ length: 6 }, (_, at) => ({ path: `/v/${at}`, home: `/h/${at}` }));
  expect(orphanText(found, false)).toBe(
    '6 databases of state folders that are gone (/h/0, /h/1, /h/2, /h/3, /h/4, and 1 more): ' +
      '"endstop doctor --remove-orphans" deletes them for good',
  );
  expect(orphanText(found.slice(0, 1), true)).toBe(
    'deleted 1 database of state folders that are gone (/h/0)',
  );
  expect(orphanText([], true)).toBe('no database of a state folder that is gone');
});
