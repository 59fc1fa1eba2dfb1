import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { markProcess, type ProcessMark } from './process-identity.js';

/** The head process of a Postgres that works on a data folder, as its `postmaster.pid` tells. */
export interface Postmaster extends ProcessMark {
  readonly port: number;
  /** False while it starts, recovers or stops. */
  readonly isReady: boolean;
}

/** The live postmaster of this very data folder; undefined when there is none, whatever `postmaster.pid` says. */
export function livePostmaster(dataFolder: string): Postmaster | undefined {
  const lines = readPidFile(dataFolder);
  const mark = markProcess(Number(lines[0]));
  if (mark === undefined || !worksIn(mark.pid, dataFolder)) return undefined;
  // Lines of the file: pid, data folder, start time, port, socket folder, address, shared memory, status.
  return { ...mark, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' };
}

/**
 * Removes a `postmaster.pid` that no process stands behind. Postgres would do so itself, unless its pid has passed to a
 * stranger or to a zombie that nobody reaps, as happens in containers. A backend that outlived its postmaster keeps
 * the file: two servers on one folder would destroy it.
 *
 * @returns false while some process still works in the folder.
 */
export function clearStalePidFile(dataFolder: string): boolean {
  if (readPidFile(dataFolder).length === 0) return true;
  if (processesIn(dataFolder).length > 0) return false;
  rmSync(join(dataFolder, 'postmaster.pid'), { force: true });
  return true;
}

/** Whether any process of Postgres works in this folder. */
export function isWorkedOn(dataFolder: string): boolean {
  return processesIn(dataFolder).length > 0;
}

function readPidFile(dataFolder: string): string[] {
  try {
    return readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

function worksIn(pid: number, dataFolder: string): boolean {
  return process.platform === 'linux' ? hasFolder(pid, dataFolder) : processesIn(dataFolder).includes(pid);
}

/** Every process of Postgres has the data folder as its working folder (Linux), or names it (elsewhere, by `ps`). */
function processesIn(dataFolder: string): number[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number)
      .filter((pid) => hasFolder(pid, dataFolder));
  }
  const listed = execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((line) => line.includes(dataFolder) && line.includes('postgres'))
    .map((line) => Number.parseInt(line, 10));
}

function hasFolder(pid: number, folder: string): boolean {
  try {
    // The name keeps out a person's shell that happens to stand in the folder.
    const name = readFileSync(`/proc/${pid}/comm`, 'latin1').trim();
    return name === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return false;
  }
}
