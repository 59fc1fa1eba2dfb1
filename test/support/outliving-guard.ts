import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends a child when this process is gone without having ended it, as when a test run is killed: the guard is a process
 * of its own that watches both.
 */
export function guardChild(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const [guarded, watched] = [process.pid, child.pid];
  const script = `
    while kill -0 ${guarded} 2>/dev/null && kill -0 ${watched} 2>/dev/null; do sleep 1; done
    kill -0 ${guarded} 2>/dev/null || kill -9 ${watched} 2>/dev/null`;
  spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore', cwd: '/' }).unref();
}
