import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { openPostgresFolder } from '../../src/embedded/postgres-folder.js';
import { isAlive, type ProcessMark } from '../../src/embedded/process-identity.js';

export const isRoot = process.getuid?.() === 0;
/** An account without rights that every system has. */
export const nobody = 65_534;

/** A folder of this test's own, which others may enter, removed with all that is in it. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'endstop-embedded-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A state folder; what root's Postgres keeps for it elsewhere is removed as well. */
export function scratchHome(): string {
  const home = join(scratchFolder(), '.endstop');
  mkdirSync(home);
  onTestFinished(() => {
    if (isRoot) rmSync(openPostgresFolder(home, '/var/lib/endstop').path, { recursive: true, force: true });
  });
  return home;
}

/** A program of a few lines of shell. */
export function script(path: string, body: string): string {
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}

export const run = promisify(execFile);

/** Asks until the answer is yes; fails after `ms`. */
export async function until(what: string, ask: () => boolean | Promise<boolean>, ms = 20_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await ask())) {
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export const gone = (marks: readonly ProcessMark[]) => marks.every((mark) => !isAlive(mark));
