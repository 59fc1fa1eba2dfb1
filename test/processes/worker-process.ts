import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { relayKey } from '../support/model-relay.js';
import { guardChild } from '../support/outliving-guard.js';
import type { Scene } from '../workflows/scene.js';

/** `endstop worker` as a deployment runs it: a process of its own that knows the others by address only. */
export interface WorkerProcess {
  readonly pid: number;
  /** Everything it said so far. */
  output(): string;
  /** Resolves with its exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/** Starts a worker for all lanes and waits until it polls. `temporalAddress`: by another way than the scene's own. */
export async function startWorkerProcess(
  { house, models }: Scene,
  temporalAddress = house.temporal.address,
): Promise<WorkerProcess> {
  const home = mkdtempSync(join(tmpdir(), 'endstop-worker-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/endstop.mjs'), 'worker'], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      ENDSTOP_HOME: home,
      DATABASE_URL: house.database.databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      ANTHROPIC_BASE_URL: models.url,
      ANTHROPIC_API_KEY: relayKey,
    },
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
      if (output.includes('worker ready')) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    void exited.then((how) => reject(new Error(`The worker ended (${how}) before it was ready:\n${output}`)));
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    end: async (signal) => {
      child.kill(signal);
      return await exited;
    },
  };
}
