import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { Spec } from '../../src/spec/spec.js';
import { eventually } from '../support/eventually.js';
import { relayKey } from '../support/model-relay.js';
import { guardChild } from '../support/outliving-guard.js';
import { claimText } from '../support/papers.js';
import { openScene, type Scene } from '../workflows/scene.js';
import type { EndstopProcess } from './endstop-process.js';
import { startWorkerProcess } from './worker-process.js';

vi.setConfig({ testTimeout: 180_000 });

let scene: Scene;
let folder: string;
const workers: EndstopProcess[] = [];

/** No worker in this process: all work is done by processes that can be killed. */
beforeAll(async () => {
  scene = await openScene({ specs: [claim as unknown as Spec], lanes: [] });
  folder = mkdtempSync(join(tmpdir(), 'endstop-batch-kill-'));
  workers.push(await startWorkerProcess(scene));
});
afterAll(async () => {
  for (const worker of workers) await worker.end('SIGKILL');
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

/** `endstop batch` as somebody types it, in a process of its own. */
function startCommand(manifest: string) {
  const { house, models } = scene;
  const child = spawn(
    process.execPath,
    [
      ...[join(import.meta.dirname, '../../bin/endstop.mjs'), 'batch', manifest],
      ...['--spec', 'claim', '--in-flight', '3', '--json'],
    ],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        ENDSTOP_HOME: folder,
        DATABASE_URL: house.database.databaseUrl,
        TEMPORAL_ADDRESS: house.temporal.address,
        ANTHROPIC_BASE_URL: models.url,
        ANTHROPIC_API_KEY: relayKey,
      },
    },
  );
  guardChild(child);
  let output = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString('utf8');
  });
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
  return {
    exited,
    kill: async () => {
      child.kill('SIGKILL');
      return await exited;
    },
    lines: () =>
      output
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe('a batch whose worker and whose command are killed in the middle', () => {
  it('goes on when both are started again: every document ends, and nothing runs twice', async () => {
    const never = { until: new Promise(() => undefined) };
    const texts = Array.from({ length: 12 }, () => claimText({}));
    const [stuck = ''] = texts;
    for (const text of texts) scene.models.plan(text, text === stuck ? [never, {}] : [{}]);
    const manifest = join(folder, 'list.jsonl');
    writeFileSync(manifest, texts.map((text) => `${JSON.stringify({ text })}\n`).join(''));

    const first = startCommand(manifest);
    await scene.models.arrived(stuck, 1);
    await eventually(async () => {
      expect(first.lines().length).toBeGreaterThanOrEqual(3);
    });
    const before = first.lines().map(({ id }) => String(id));
    expect(await first.kill()).toBe('SIGKILL');
    expect(await workers[0]?.end('SIGKILL')).toBe('SIGKILL');
    expect(before.length).toBeLessThan(12);

    workers.push(await startWorkerProcess(scene));
    const second = startCommand(manifest);
    expect(await second.exited).toBe(0);
    const report = second.lines().at(-1);
    expect(report).toMatchObject({
      ...{ state: 'finished', documents: 12, verified: 12, waiting: 0, underWay: 0 },
      runs: { own: 12, followed: 0, known: 0, repeated: 0 },
    });

    const { store } = scene.house.app;
    const batchId = workflowIds.batch(String(report?.['id']));
    const { items: runs } = await store.extractions.list({ batchId }, { limit: 100 });
    expect(runs.map(({ run }) => run)).toEqual(Array(12).fill(1));
    expect((await store.batches.list({}, { limit: 10 })).items).toHaveLength(1);
    // What had ended was not called for again; of what was under way, at most the call that was lost.
    for (const { key, calls } of runs) {
      expect(await store.records.ofKey(key)).toHaveLength(1);
      expect(calls).toBeLessThanOrEqual(before.includes(key) ? 1 : 2);
    }
    expect(scene.models.calls(stuck)).toHaveLength(2);
    // The second command told of every document, the first one's too, each once.
    const told = second
      .lines()
      .slice(0, -1)
      .map(({ id }) => String(id));
    expect([...told].sort()).toEqual(runs.map(({ key }) => key).sort());
  });
});
