import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolders } from '../../src/embedded/make-folders.js';

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'endstop-folders-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('makes what is missing, twice as well as once', () => {
  const path = join(place(), 'a', 'b');
  makeFolders(path, 0o700);
  makeFolders(path, 0o700);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it('says why not below a file', () => {
  const file = join(place(), 'file');
  writeFileSync(file, '');
  expect(() => makeFolders(join(file, 'a'), 0o700)).toThrow(/ENOTDIR|EEXIST/);
});

it.runIf(existsSync('/proc/self'))('comes back where the system keeps no folders', () => {
  expect(() => makeFolders('/proc/nope/home', 0o700)).toThrow('ENOENT');
});
