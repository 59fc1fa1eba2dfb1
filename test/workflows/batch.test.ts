import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToBatch, cancelBatch, startBatch } from '../../src/application/batches.js';
import { followBatch, readBatch } from '../../src/application/read-batch.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import { historyText, textsOf } from '../support/decoded-history.js';
import { eventually } from '../support/eventually.js';
import { held, type Turn } from '../support/model-relay.js';
import { prepareBatch } from './batch-scene.js';
import { claimSpec } from './claim-specs.js';
import { openScene, type Scene } from './scene.js';

const plain = claimSpec('claim');
/** Sits an outage out, if it is given the patience. */
const quick = claimSpec('claim-quick', {
  policy: { outage: { patienceMs: 0, pauseMs: 100 }, transport: { maximumCalls: 1, backoffTotalMs: 0 } },
});

const fine: readonly Turn[] = [{}];
const stubborn: readonly Turn[] = [{ behaviour: { misread: 1, stubborn: 1 } }];
const misread: readonly Turn[] = [{ behaviour: { misread: 1 } }, {}];
const overloaded: Turn = { behaviour: { rate529: 1 } };

let scene: Scene;
beforeAll(async () => {
  // A history of some two dozen events is long enough to be continued in a new one.
  const temporalSettings = { 'limit.historyCount.suggestContinueAsNew': 24 };
  scene = await openScene({ specs: [plain, quick], temporalSettings });
});
afterAll(() => scene.close());

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe.concurrent('a batch', () => {
  it('runs every document once in its window, and says how each ended', async () => {
    const batch = await prepareBatch(scene, 'whole', plain, [
      ...times(4, fine),
      stubborn,
      ...times(3, misread),
    ]);
    expect(await batch.start()).toBe('started');
    expect(await startBatch(scene.house.app, 'whole')).toMatchObject({ kind: 'running' });
    const view = await batch.ended();
    expect(view).toMatchObject({
      ...{ state: 'finished', documents: 8, waiting: 0, underWay: 0, verified: 7, unverified: 1, refused: 0 },
      ...{ unverifiedBy: { no_progress: 1 }, runs: { own: 8, followed: 0, known: 0, repeated: 0 } },
      ...{ budgetTokens: null, attemptCap: 3, projectedTokens: null },
    });
    const runs = await batch.runs();
    expect(runs).toHaveLength(8);
    expect(view.tokens).toBe(runs.reduce((sum, { tokens }) => sum + tokens, 0));
    expect(runs.every(({ run, fileName }) => run === 1 && fileName !== null)).toBe(true);
    expect(batch.calls()).toBe(runs.reduce((sum, { calls }) => sum + calls, 0));
    const told: string[] = [];
    for await (const news of followBatch(scene.house.app, 'whole')) {
      if (news.kind === 'document') told.push(news.document.item);
    }
    expect([...told].sort()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
    expect(await startBatch(scene.house.app, 'whole')).toMatchObject({ kind: 'ended' });
  });

  it('is continued in new histories, which hold nothing of a document', async () => {
    const batch = await prepareBatch(scene, 'long', plain, times(6, fine), { inFlight: 1 });
    await batch.start();
    const handle = scene.client.workflow.getHandle(workflowIds.batch('long'));
    const first = (await handle.describe()).runId;
    expect(await batch.ended()).toMatchObject({ state: 'finished', verified: 6 });
    const last = await handle.describe();
    expect(last.runId).not.toBe(first);
    expect(last.historyLength).toBeLessThan(60);
    const history = textsOf(await historyText(scene.client, handle.workflowId));
    const lines = batch.texts.flatMap((text) => text.split('\n')).filter((line) => line.length > 8);
    expect(history.filter((said) => lines.some((line) => said.includes(line)))).toEqual([]);
  });

  it('follows a document that runs elsewhere, leaves alone what has ended, and pays for neither', async () => {
    const { turn, release } = held();
    const batch = await prepareBatch(scene, 'others', plain, [[turn], fine, fine], { tenant: 'others' });
    const [followed = '', known = ''] = batch.texts;
    const submission = { tenant: 'others' };
    await scene.run({ spec: plain, text: known, submission });
    await scene.submit({ spec: plain, text: followed, turns: [turn], submission });
    await batch.start();
    await eventually(async () => {
      expect(await readBatch(scene.house.app, 'others')).toMatchObject({ verified: 2, underWay: 1 });
    });
    await cancelBatch(scene.house.app, 'others', 'cancel_runs');
    release();
    // The one that another one started was not told to stop.
    expect(await batch.ended()).toMatchObject({
      state: 'finished',
      verified: 3,
      runs: { followed: 1, known: 1 },
    });
    const [own] = await batch.runs();
    expect((await batch.runs()).length).toBe(1);
    expect(await readBatch(scene.house.app, 'others')).toMatchObject({ tokens: own?.tokens });
  });

  it('cancelled begins nothing more and lets run what runs; asked for again it goes on with the rest', async () => {
    const { turn, release } = held();
    const batch = await prepareBatch(scene, 'cancelled', plain, times(4, [turn]), { inFlight: 2 });
    await batch.start();
    await eventually(async () => {
      expect(await readBatch(scene.house.app, 'cancelled')).toMatchObject({ underWay: 2, waiting: 2 });
    });
    await cancelBatch(scene.house.app, 'cancelled', 'let_finish');
    await eventually(async () => {
      expect(await readBatch(scene.house.app, 'cancelled')).toMatchObject({ state: 'stopping', underWay: 2 });
    });
    release();
    expect(await batch.ended()).toMatchObject({ state: 'cancelled', verified: 2, waiting: 2 });
    expect(await batch.start()).toBe('started');
    expect(await batch.ended()).toMatchObject({ state: 'finished', verified: 4, waiting: 0 });
    expect(batch.calls()).toBe(4);
  });

  it('cancelled with its runs ends when the calls in flight have', async () => {
    const { turn, release } = held(stubborn[0]);
    const batch = await prepareBatch(scene, 'aborted', plain, times(3, [turn]), { inFlight: 2 });
    await batch.start();
    await Promise.all(batch.texts.slice(0, 2).map((text) => scene.models.arrived(text, 1)));
    await cancelBatch(scene.house.app, 'aborted', 'cancel_runs');
    await eventually(async () => {
      expect(await readBatch(scene.house.app, 'aborted')).toMatchObject({ state: 'stopping' });
    });
    release();
    const view = await batch.ended();
    expect(view).toMatchObject({ state: 'cancelled', waiting: 1, unverifiedBy: { cancelled: 2 } });
    expect(batch.calls()).toBe(2);
  });

  it('that somebody terminates is said to be stopped, and asked for again it runs nothing twice', async () => {
    const { turn, release } = held();
    const batch = await prepareBatch(scene, 'terminated', plain, times(5, [turn]), { inFlight: 2 });
    await batch.start();
    await Promise.all(batch.texts.slice(0, 2).map((text) => scene.models.arrived(text, 1)));
    await scene.client.workflow.getHandle(workflowIds.batch('terminated')).terminate('by accident');
    expect(await readBatch(scene.house.app, 'terminated')).toMatchObject({ state: 'stopped', underWay: 2 });
    expect(await batch.start()).toBe('started');
    release();
    expect(await batch.ended()).toMatchObject({ state: 'finished', verified: 5, runs: { own: 5 } });
    expect(batch.calls()).toBe(5);
    expect((await batch.runs()).map(({ run }) => run)).toEqual([1, 1, 1, 1, 1]);
  });

  it('past its deadline parks the rest without a call, under the bounds they are redriven with', async () => {
    const { turn, release } = held();
    const batch = await prepareBatch(scene, 'late', plain, [[turn], ...times(3, fine)], {
      ...{ inFlight: 1, deadlineMs: 2_500 },
    });
    await batch.start();
    await scene.models.arrived(batch.texts[0] ?? '', 1);
    const view = await batch.ended();
    release();
    // A call that is cut off by its deadline is a failed call.
    const unverifiedBy = { provider_unavailable: 1, deadline: 3 };
    expect(view).toMatchObject({ state: 'finished', verified: 0, unverifiedBy });
    expect(batch.calls()).toBe(1);
    const letter = await scene.house.app.store.deadLetters.find((await batch.documents())[3]?.key ?? '');
    expect(letter).toMatchObject({ reason: 'deadline', policy: { deadlineMs: plain.policy.deadlineMs } });
  });

  it('has patience with the provider, beyond the deadline of each document', async () => {
    const outage = [overloaded, overloaded, overloaded, {}];
    const { id } = quick;
    const patient = await prepareBatch(scene, 'patient', quick, times(3, outage), { patienceMs: 20_000 });
    const { policy } = (await scene.house.app.store.batches.find('patient')) ?? {};
    expect(policy?.deadlineMs).toBe(quick.policy.deadlineMs + 20_000);
    await patient.start();
    expect(await patient.ended()).toMatchObject({ verified: 3, spec: id });
    // Sat out and not counted: each verified with its first attempt.
    expect((await patient.runs()).map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
    const hasty = await prepareBatch(scene, 'hasty', quick, times(2, outage), { patienceMs: 0 });
    await hasty.start();
    expect(await hasty.ended()).toMatchObject({ unverifiedBy: { provider_unavailable: 2 } });
  });

  it('runs again what had ended unverified, if that is asked for, once', async () => {
    const tenant = 'again';
    const first = await prepareBatch(scene, 'first', plain, [[...(stubborn ?? []), ...stubborn, {}]], {
      tenant,
    });
    await first.start();
    expect(await first.ended()).toMatchObject({ unverifiedBy: { no_progress: 1 } });
    const [text = ''] = first.texts;
    const again = await prepareBatch(scene, 'again', plain, [], { tenant, redrive: true });
    const row = await scene.house.app.store.batches.find('again');
    if (row === null) throw new Error('The batch is not there.');
    const item = (name: string) => ({
      ...{ item: name, fileName: name, tags: [] },
      document: { kind: 'bytes' as const, mediaType: 'text/plain', bytes: Buffer.from(text) },
    });
    await addToBatch(scene.house.app, row, [item('a'), item('b')]);
    await again.start();
    expect(await again.ended()).toMatchObject({
      state: 'finished',
      verified: 2,
      runs: { own: 1, repeated: 1 },
    });
    expect((await again.runs()).map(({ run }) => run)).toEqual([2]);
  });
});
