import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** How much of a log's end is read to show its last lines. */
const tailBytes = 16 * 1024;

/** Opens `<folder>/<name>.log` for a child to write to; what a former run wrote is kept as `<name>.1.log`. */
export function openLog(folder: string, name: string): { path: string; fd: number } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.log`);
  try {
    renameSync(path, join(folder, `${name}.1.log`));
  } catch {
    // The first run has nothing to keep.
  }
  return { path, fd: openSync(path, 'a', 0o600) };
}

/** The last `count` lines of a log that are not blank; empty when there is no such file. */
export function lastLogLines(path: string, count = 12): string[] {
  return readTail(path)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(-count);
}

/** True when some line of the log matches. */
export function hasLogLine(path: string, pattern: RegExp): boolean {
  return readFileSync(path, 'utf8')
    .split('\n')
    .some((line) => pattern.test(line));
}

function readTail(path: string): string {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    const size = fstatSync(fd).size;
    const buffer = Buffer.alloc(Math.min(size, tailBytes));
    const read = readSync(fd, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8', 0, read);
  } catch {
    return '';
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
