import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardChild } from '../support/outliving-guard.js';

/** A command of `endstop` that runs until it is ended, as a deployment runs it: it knows the others by address only. */
export interface EndstopProcess {
  readonly pid: number;
  /** Everything it said so far. */
  output(): string;
  /** Heap and buffers in MiB, after everything that nobody holds has been collected; only when it is `probed`. */
  held(): Promise<number>;
  /** Resolves with its exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/** Starts `endstop <args>` in an empty home with nothing but these variables, and waits until it says `ready`. */
export async function startEndstop(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: string,
  { probed = false } = {},
): Promise<EndstopProcess> {
  const home = mkdtempSync(join(tmpdir(), 'endstop-process-'));
  const at = (path: string) => join(import.meta.dirname, '../..', path);
  const probe = probed ? ['--expose-gc', '--import', at('bench/support/memory-probe.mjs')] : [];
  const child = spawn(process.execPath, [...probe, at('bin/endstop.mjs'), ...args], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe', ...(probed ? (['ipc'] as const) : [])],
    env: { PATH: process.env['PATH'], HOME: home, ENDSTOP_HOME: home, ...env },
  });
  let output = '';
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('exit', (code, signal) => {
      rmSync(home, { recursive: true, force: true });
      resolve(code ?? signal);
    });
  });
  guardChild(child);
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      if (output.includes(ready)) resolve();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    void exited.then((how) =>
      reject(new Error(`endstop ${args.join(' ')} ended (${how}) before it was ready:\n${output}`)),
    );
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    held: async () => {
      const answer = once(child, 'message') as Promise<[NodeJS.MemoryUsage]>;
      child.send('memory');
      const [{ heapUsed, external }] = await answer;
      return (heapUsed + external) / 1_048_576;
    },
    end: async (signal) => {
      child.kill(signal);
      return await exited;
    },
  };
}
