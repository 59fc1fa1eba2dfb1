import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackAddresses } from '../config.js';
import { makeFolders } from './make-folders.js';
import type { ProcessRecord } from './process.js';
import { isAlive, type ProcessMark } from './process-identity.js';
import { digestSettings, type SettingDigests } from './setting-digests.js';
import { errorCode, StackError } from './stack-error.js';

/** What `.endstop/stack.json` holds. Written before a process counts as started, so that a killed start is found. */
export interface StackFile {
  readonly state: 'starting' | 'running' | 'stopping';
  readonly supervisor: ProcessMark;
  /** Ends the stack when the supervisor is killed outright. */
  readonly guard: ProcessMark | undefined;
  readonly startedAt: number;
  readonly addresses: StackAddresses | undefined;
  /** What it was started with; missing in files of earlier versions. */
  readonly settings?: SettingDigests;
  /** In the order they were started. */
  readonly processes: readonly ProcessRecord[];
}

/** The stack that runs in `home` and is ready, or undefined: none runs, or its supervisor is gone. */
export function readStack(home: string): StackAddresses | undefined {
  const stack = readStackFile(home);
  return stack?.state === 'running' && isAlive(stack.supervisor) ? stack.addresses : undefined;
}

/** Whether the stack that runs in `home` was started with another value of this setting (undefined: with none). */
export function startedOtherwise(home: string, name: string, value: string | undefined): boolean {
  const stack = readStackFile(home);
  if (stack?.state !== 'running' || !isAlive(stack.supervisor) || stack.settings === undefined) return false;
  const here = digestSettings(value ? { [name]: value } : {});
  return stack.settings[name] !== here[name];
}

/** The file as it stands, whoever wrote it and whether or not anything of it still runs. */
export function readStackFile(home: string): StackFile | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(stackPath(home), 'utf8'));
    return isStackFile(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the file in one step: a reader sees the old content or the new. */
export function writeStackFile(home: string, stack: StackFile): void {
  const path = stackPath(home);
  const draft = `${path}.${process.pid}`;
  // The database address carries a password.
  writeFileSync(draft, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

export function removeStackFile(home: string): void {
  rmSync(stackPath(home), { force: true });
}

/**
 * Creates the state folder, unseen by git and by other users.
 *
 * @throws StackError when it cannot be created or written.
 */
export function createHome(home: string): void {
  try {
    makeFolders(home, 0o700);
    writeFileSync(join(home, '.gitignore'), '*\n');
  } catch (error) {
    throw new StackError(
      `The folder ${home} cannot be written (${errorCode(error)}); Endstop keeps its state there.`,
    );
  }
}

function stackPath(home: string): string {
  return join(home, 'stack.json');
}

function isStackFile(value: unknown): value is StackFile {
  if (typeof value !== 'object' || value === null || !('supervisor' in value) || !('processes' in value))
    return false;
  return isMark(value.supervisor) && Array.isArray(value.processes) && value.processes.every(isMark);
}

function isMark(value: unknown): value is ProcessMark {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    Number.isInteger(value.pid) &&
    'identity' in value &&
    typeof value.identity === 'string'
  );
}
