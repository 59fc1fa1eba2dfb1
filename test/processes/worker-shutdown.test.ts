import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import type { Spec } from '../../src/spec/spec.js';
import { held } from '../support/model-relay.js';
import { claimText } from '../support/papers.js';
import { openScene, type Scene } from '../workflows/scene.js';
import type { EndstopProcess } from './endstop-process.js';
import { startWorkerProcess } from './worker-process.js';

/** The bundled claims, with time enough for a slow machine. */
const spec = { ...claim, policy: { ...claim.policy, deadlineMs: 240_000 } } as unknown as Spec;
vi.setConfig({ testTimeout: 180_000 });

let scene: Scene;
const workers: EndstopProcess[] = [];

/** No worker in this process: all work is done by processes that can be told to stop. */
beforeAll(async () => {
  scene = await openScene({ specs: [spec], lanes: [] });
});
afterAll(async () => {
  for (const worker of workers) await worker.end('SIGKILL');
  await scene.close();
});

async function startWorker(...flags: readonly string[]): Promise<EndstopProcess> {
  const worker = await startWorkerProcess(scene, scene.house.temporal.address, flags);
  workers.push(worker);
  return worker;
}

/** Temporal's own attempt counter of each activity that ended. */
async function startsOf({ key }: Extraction): Promise<readonly number[]> {
  const { events } = await scene.client.workflow.getHandle(workflowIds.extraction(key)).fetchHistory();
  return (events ?? []).flatMap((event) => {
    const started = event.activityTaskStartedEventAttributes;
    return started ? [Number(started.attempt)] : [];
  });
}

describe('a deploy, worker by worker', () => {
  it('cuts off a call that outlasts the grace, and another worker makes it again: no attempt is lost', async () => {
    const text = claimText({});
    const never = { until: new Promise(() => undefined) };
    const old = await startWorker('--grace', '1', '--first-slots', '3', '--repair-slots', '1');
    expect(old.output()).toContain('first (3 slots), repair (1 slots), store (');
    const extraction = await scene.submit({ spec, text, turns: [never, {}] });
    await scene.models.arrived(text, 1);
    await startWorker();
    const toldAt = Date.now();
    expect(await old.end('SIGTERM')).toBe(0);
    expect(Date.now() - toldAt).toBeGreaterThanOrEqual(1_000);
    const ended = await scene.ended(extraction);
    expect(ended.extraction).toMatchObject({ outcome: 'verified', attempts: 1, calls: 2 });
    // Nobody heard what became of the first call, so its estimate counts.
    expect(ended.calls.map(({ attempt, state, known }) => ({ attempt, state, known }))).toEqual([
      { attempt: 1, state: 'open', known: false },
      { attempt: 1, state: 'answered', known: true },
    ]);
    expect(await startsOf(extraction)).toEqual([2]);
  });

  it('lets calls within the grace end, and makes none of them twice', async () => {
    const old = workers.at(-1);
    // Talk of a deductible that is not printed: made up in the first answer, mended in the second.
    const texts = [claimText({}), claimText({}), claimText({ extra: 'The standard deductible applies.' })];
    const holds = texts.map(() => held());
    const runs = await Promise.all(
      texts.map((text, index) => scene.submit({ spec, text, turns: [holds[index]?.turn ?? {}, {}] })),
    );
    await Promise.all(texts.map((text) => scene.models.arrived(text, 1)));
    await startWorker();
    const leaving = old?.end('SIGTERM');
    await pause(300);
    for (const { release } of holds) release();
    expect(await leaving).toBe(0);
    const ends = await Promise.all(runs.map((run) => scene.ended(run)));
    expect(
      ends.map(({ extraction: { outcome, attempts, calls } }) => ({ outcome, attempts, calls })),
    ).toEqual([
      { outcome: 'verified', attempts: 1, calls: 1 },
      { outcome: 'verified', attempts: 1, calls: 1 },
      { outcome: 'verified', attempts: 2, calls: 2 },
    ]);
    expect(await Promise.all(runs.map(startsOf))).toEqual([[1], [1], [1, 1]]);
  });
});
