import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Behaviour } from '../../src/standin/behaviour.js';
import type { Stats } from '../../src/standin/stats.js';
import { guardChild } from '../../test/support/outliving-guard.js';

/** A stand-in in a process of its own, so that the work of the model's side is nobody's. */
export interface StandinProcess {
  readonly url: string;
  /** Changes settings while it runs. */
  behave(changes: Partial<Behaviour>): Promise<void>;
  stats(): Promise<Stats>;
  /** Counts from zero. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

const main = fileURLToPath(new URL('../../src/standin/main.ts', import.meta.url));

export async function startStandin(behaviour: Partial<Behaviour> = {}): Promise<StandinProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', main], { stdio: ['ignore', 'pipe', 'inherit'] });
  guardChild(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`The stand-in refuses ${path}: ${await answer.text()}`);
  };
  const standin: StandinProcess = {
    url,
    behave: (changes) => post('/standin/behaviour', changes),
    stats: async () => (await (await fetch(`${url}/standin/stats`)).json()) as Stats,
    reset: () => post('/standin/reset', {}),
    stop: () => ended(child),
  };
  if (Object.keys(behaviour).length > 0) await standin.behave(behaviour);
  return standin;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
