import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, type ProcessMark } from './process-identity.js';
import { errorCode } from './stack-error.js';

/** A lock that its holder writes within an instant; unreadable for longer than this, the holder died in between. */
const writingMs = 2_000;

/**
 * Takes the lock of `home` for `self`: true when it is ours, else the process that holds it (undefined in the instant in
 * which it is being written or cleared). A lock whose holder is dead is cleared first.
 */
export function takeLock(home: string, self: ProcessMark): true | ProcessMark | undefined {
  const path = lockPath(home);
  for (let round = 0; round < 2; round += 1) {
    try {
      writeFileSync(path, JSON.stringify(self), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    const holder = readHolder(path);
    if (holder !== undefined && isAlive(holder)) return holder;
    if (holder === undefined && ageMs(path) < writingMs) return undefined;
    clearStaleLock(path);
  }
  return undefined;
}

/** Gives the lock back; a lock that has since passed to another process stays. */
export function releaseLock(home: string, self: ProcessMark): void {
  const holder = readHolder(lockPath(home));
  if (holder?.pid === self.pid && holder.identity === self.identity) rmSync(lockPath(home), { force: true });
}

/**
 * Removes a dead holder's lock. Of several processes that see it dead only one may do so, or the second would remove
 * the first one's fresh lock: hence a lock around the clearing, and a second look under it.
 */
function clearStaleLock(path: string): void {
  const clearing = `${path}.clearing`;
  try {
    closeSync(openSync(clearing, 'wx'));
  } catch {
    if (ageMs(clearing) > 10_000) rmSync(clearing, { force: true });
    return;
  }
  const holder = readHolder(path);
  // Unreadable may mean that somebody has just taken it and is writing his name.
  const isStale = holder === undefined ? ageMs(path) >= writingMs : !isAlive(holder);
  if (isStale) rmSync(path, { force: true });
  rmSync(clearing, { force: true });
}

function readHolder(path: string): ProcessMark | undefined {
  try {
    const { pid, identity } = JSON.parse(readFileSync(path, 'utf8')) as ProcessMark;
    return Number.isInteger(pid) && typeof identity === 'string' ? { pid, identity } : undefined;
  } catch {
    return undefined;
  }
}

function ageMs(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function lockPath(home: string): string {
  return join(home, 'stack.lock');
}
