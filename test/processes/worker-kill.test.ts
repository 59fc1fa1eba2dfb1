import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import type { Spec } from '../../src/spec/spec.js';
import { eventually } from '../support/eventually.js';
import { held } from '../support/model-relay.js';
import { claimText } from '../support/papers.js';
import { type Ended, openScene, type Scene } from '../workflows/scene.js';
import type { EndstopProcess } from './endstop-process.js';
import { openLink, type SeverableLink } from './severable-link.js';
import { startWorkerProcess } from './worker-process.js';

/** The bundled claims, with time enough for a slow machine. */
const spec = { ...claim, policy: { ...claim.policy, deadlineMs: 240_000 } } as unknown as Spec;
vi.setConfig({ testTimeout: 180_000 });

let scene: Scene;
let link: SeverableLink;
let first: EndstopProcess;
const workers: EndstopProcess[] = [];

/** No worker in this process: all work is done by processes that can be killed. */
beforeAll(async () => {
  scene = await openScene({ specs: [spec], lanes: [] });
  link = await openLink(scene.house.temporal.address);
  first = await startWorkerProcess(scene, link.address);
  workers.push(first);
});
afterAll(async () => {
  for (const worker of workers) await worker.end('SIGKILL');
  await link.close();
  await scene.close();
});

const handleOf = ({ key }: Extraction) => scene.client.workflow.getHandle(workflowIds.extraction(key));

/** Temporal's own attempt counter of each activity that ended. */
async function startsOf(extraction: Extraction): Promise<readonly number[]> {
  const { events } = await handleOf(extraction).fetchHistory();
  return (events ?? []).flatMap((event) => {
    const started = event.activityTaskStartedEventAttributes;
    return started ? [Number(started.attempt)] : [];
  });
}

const callsOf = ({ calls }: Ended) => calls.map(({ attempt, state, known }) => ({ attempt, state, known }));

/** The run's sums are those of its call rows, lost ones included. */
function expectHonest({ extraction, calls }: Ended): void {
  expect(extraction.calls).toBe(calls.length);
  expect(extraction.tokens).toBe(calls.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(calls.every(({ tokens }) => tokens > 0)).toBe(true);
}

describe('a worker process that is killed', () => {
  it('loses no document and no money, and what it stored is not paid again', async () => {
    const never = { until: new Promise(() => undefined) };
    const answered = held();
    // Talk of a deductible that is not printed: made up in the first answer, mended in the second.
    const talked = claimText({ extra: 'The standard deductible applies.' });
    const texts = { calling: claimText({}), repairing: talked, stored: claimText({}) };
    const submit = (text: string, turns: Parameters<Scene['models']['plan']>[1]) =>
      scene.submit({ spec, text, turns });
    const [calling, repairing, stored] = await Promise.all([
      submit(texts.calling, [never, {}]),
      submit(texts.repairing, [{}, never, {}]),
      submit(texts.stored, [answered.turn, {}]),
    ]);
    await Promise.all([
      scene.models.arrived(texts.calling, 1),
      scene.models.arrived(texts.repairing, 2),
      scene.models.arrived(texts.stored, 1),
    ]);
    workers.push(await startWorkerProcess(scene));

    // One answer is still stored, but word of it reaches no server any more: killed between commit and completion.
    link.cut();
    answered.release();
    await eventually(async () => {
      expect(await scene.house.app.store.attempts.list(stored.key, 1)).toHaveLength(1);
    });
    expect(await first.end('SIGKILL')).toBe('SIGKILL');

    const results = await Promise.all([calling, repairing, stored].map((run) => handleOf(run).result()));
    expect(results.map(({ outcome, attempts }) => ({ outcome, attempts }))).toEqual([
      { outcome: 'verified', attempts: 1 },
      { outcome: 'verified', attempts: 2 },
      { outcome: 'verified', attempts: 1 },
    ]);
    const [lost, repaired, kept] = await Promise.all(
      [calling, repairing, stored].map((run) => scene.ended(run)),
    );
    if (lost === undefined || repaired === undefined || kept === undefined) throw new Error('nothing ended');

    const open = { state: 'open', known: false };
    const done = { state: 'answered', known: true };
    expect(callsOf(lost)).toEqual([
      { attempt: 1, ...open },
      { attempt: 1, ...done },
    ]);
    expect(callsOf(repaired)).toEqual([
      { attempt: 1, ...done },
      { attempt: 2, ...open },
      { attempt: 2, ...done },
    ]);
    expect(callsOf(kept)).toEqual([{ attempt: 1, ...done }]);
    expect(scene.models.calls(texts.stored)).toHaveLength(1);
    for (const ended of [lost, repaired, kept]) {
      expectHonest(ended);
      expect(await scene.house.app.store.records.ofKey(ended.extraction.key)).toHaveLength(1);
    }
    // Temporal did start the activity again each time; the second start of the stored one found it stored.
    expect(await startsOf(calling)).toEqual([2]);
    expect(await startsOf(repairing)).toEqual([1, 2]);
    expect(await startsOf(stored)).toEqual([2]);
  });
});

describe('a worker process that is told to stop', () => {
  it('finishes the call in flight first', async () => {
    const text = claimText({});
    const only = held();
    const extraction = await scene.submit({ spec, text, turns: [only.turn] });
    await scene.models.arrived(text, 1);
    const ended = workers[1]?.end('SIGTERM');
    only.release();
    expect(await ended).toBe(0);
    // Nobody is left to close the workflow, so the store is asked.
    const row = await scene.house.app.store.extractions.find(extraction.key);
    expect(row).toMatchObject({ outcome: 'verified', attempts: 1, calls: 1 });
    const events = await scene.events(extraction);
    expect(events.filter((event) => event === 'activityTaskCompleted')).toHaveLength(1);
    expect(await startsOf(extraction)).toEqual([1]);
  });
});
