import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { homeHash, ownerFile, rootFolder } from './postgres-folder.js';
import { isWorkedOn } from './postmaster.js';

/** A database that root's stack kept apart from its state folder, and that no start will find again. */
export interface OrphanDatabase {
  readonly path: string;
  /** The state folder it belongs to, which is gone or was begun anew. */
  readonly home: string;
}

/** Databases below `folder` whose state folder is gone, and on which nothing works. */
export function orphanDatabases(folder = rootFolder): readonly OrphanDatabase[] {
  return foldersIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const home = ownerOf(path);
    if (home === null || belongsTo(home, name) || isWorkedOn(join(path, 'data'))) return [];
    return [{ path, home }];
  });
}

/** Deletes them for good; each is looked at once more, so that one that was begun meanwhile stays. */
export function removeOrphans(folder = rootFolder): readonly OrphanDatabase[] {
  const found = orphanDatabases(folder);
  for (const { path } of found) rmSync(path, { recursive: true, force: true });
  return found;
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && /^[0-9a-f]{16}$/.test(entry.name))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

function ownerOf(path: string): string | null {
  try {
    return readFileSync(join(path, ownerFile), 'utf8').trim() || null;
  } catch {
    return null;
  }
}

/** True also where nobody can tell: only what is certainly nobody's is an orphan. */
function belongsTo(home: string, name: string): boolean {
  try {
    if (statSync(home, { throwIfNoEntry: false }) === undefined) return false;
    return homeHash(home) === name;
  } catch {
    return true;
  }
}
