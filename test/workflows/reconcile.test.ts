import { Client as PostgresClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcileScheduleId, scheduleReconciler } from '../../src/adapters/temporal/schedule.js';
import { cancelBatch } from '../../src/application/batches.js';
import { decideReview } from '../../src/application/decide-review.js';
import { reconcileAll } from '../../src/application/reconcile.js';
import { redriveByKey } from '../../src/application/redrive.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import { eventually } from '../support/eventually.js';
import type { Turn } from '../support/model-relay.js';
import { claimText } from '../support/papers.js';
import { prepareBatch } from './batch-scene.js';
import { claimSpec } from './claim-specs.js';
import { type Ended, openScene, type Scene } from './scene.js';

const plain = claimSpec('claim-plain');
const brief = claimSpec('claim-brief', { policy: { deadlineMs: 1_000 } });

const fine = {};
const misread = { behaviour: { misread: 1 } };
const stubborn = { behaviour: { misread: 1, stubborn: 1 } };
const overloaded = { behaviour: { rate529: 1 } };

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ specs: [plain, brief] });
});
afterAll(() => scene.close());

/** Nothing is too young. Other tests' runs are looked at as well, and left alone or mended alike. */
const reconcile = () => reconcileAll(scene.house.app, { graceMs: -1_000 });

const handleOf = (workflowId: string) => scene.client.workflow.getHandle(workflowId);
const statusOf = async (workflowId: string) =>
  await handleOf(workflowId)
    .describe()
    .then(({ status }) => status.name)
    .catch(() => 'NOT_FOUND');
const terminate = ({ key }: Extraction) => handleOf(workflowIds.extraction(key)).terminate('tired of it');
const rowOf = ({ key, run }: Extraction) => scene.house.app.store.extractions.find(key, run);
const letterOf = ({ key }: Extraction) => scene.house.app.store.deadLetters.find(key);

function held(turn: Turn) {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { turn: { ...turn, until }, release: () => release() };
}

/** A run in the middle of its call number `call`, the first unless told. */
async function midCall(call = 1, turns: readonly Turn[] = []) {
  const text = claimText({});
  const { turn, release } = held(fine);
  const extraction = await scene.submit({ spec: plain, text, turns: [...turns, turn] });
  await scene.models.arrived(text, call);
  return { text, extraction, release };
}

const reviewed = async (): Promise<Ended> => {
  const ended = await scene.run({ spec: plain, text: claimText({}), turns: [stubborn] });
  expect(ended.extraction.route).toBe('human_review');
  await eventually(async () => expect(await reviewStatus(ended)).toBe('RUNNING'));
  return ended;
};
const reviewStatus = ({ extraction }: Ended) => statusOf(workflowIds.humanReview(extraction.subject));
const reject = ({ extraction }: Ended) =>
  decideReview(scene.house.app, {
    ...{ review: extraction.key, actor: 'ada', verb: 'reject', values: null, note: 'no', overrides: [] },
    ifVersion: null,
  });

const lost = (attempts: number) => ({
  ...{ state: 'closed', outcome: 'unverified', reason: 'internal_error', route: 'dead_letter', attempts },
});

describe.concurrent('a run that somebody terminated', () => {
  it('is closed and parked, and its call in flight makes no record of it any more', async () => {
    const { extraction, release } = await midCall();
    await terminate(extraction);
    await reconcile();
    expect(await rowOf(extraction)).toMatchObject(lost(0));
    expect(await letterOf(extraction)).toMatchObject({ state: 'parked', reason: 'internal_error' });
    release();
    await eventually(async () => {
      const [call] = await scene.house.app.store.attempts.calls(extraction.key, 1);
      expect(call).toMatchObject({ state: 'answered' });
    });
    expect(await scene.house.app.store.records.ofKey(extraction.key)).toEqual([]);
    expect(await rowOf(extraction)).toMatchObject(lost(0));
  });

  it('keeps the class of its last attempt, and runs again when it is redriven', async () => {
    const { extraction, release, text } = await midCall(2, [misread]);
    await terminate(extraction);
    await reconcile();
    expect(await rowOf(extraction)).toMatchObject({ ...lost(1), failureClass: 'constraint' });
    release();
    scene.models.plan(text, [fine]);
    const again = await redriveByKey(scene.house.app, extraction.key, null);
    expect((await scene.ended(again)).extraction).toMatchObject({ run: 2, outcome: 'verified' });
    expect(await letterOf(extraction)).toMatchObject({ state: 'recovered' });
  });

  it('while it was redriven is parked again with its letter', async () => {
    const text = claimText({});
    const { turn, release } = held(fine);
    const turns = [overloaded, overloaded, overloaded, turn];
    const { extraction } = await scene.run({ spec: plain, text, turns });
    expect(await letterOf(extraction)).toMatchObject({ state: 'parked', reason: 'provider_unavailable' });
    const again = await redriveByKey(scene.house.app, extraction.key, null);
    await scene.models.arrived(text, 4);
    expect(await letterOf(extraction)).toMatchObject({ state: 'redriven' });
    await terminate(again);
    await reconcile();
    expect(await letterOf(extraction)).toMatchObject({ state: 'parked', run: 2, reason: 'internal_error' });
    release();
  });
});

describe.concurrent('a run whose workflow is not there', () => {
  it('because it never was, is started', async () => {
    const text = claimText({});
    const { row } = await scene.prepare({ spec: plain, text });
    await reconcile();
    expect((await scene.ended(row)).extraction).toMatchObject({ outcome: 'verified', run: 1 });
    expect(scene.models.calls(text)).toHaveLength(1);
  });

  it('because the run before it is still at its last step, is started once that has ended', async () => {
    const { extraction, release, text } = await midCall();
    // As when its landing is stored, but not yet told to the workflow.
    await scene.house.app.store.extractions.land({
      ref: extraction,
      ending: {
        ...{ kind: 'unverified', attempts: 0, reason: 'deadline', failureClass: null },
        ...{ diagnosis: null, repliesRead: 0 },
      },
      at: Date.now(),
      route: 'dead_letter',
      bestAttempt: null,
      amount: null,
      reviewDueAt: null,
    });
    const starting = redriveByKey(scene.house.app, extraction.key, null);
    release();
    const again = await starting;
    expect(again).toMatchObject({ run: 2 });
    await eventually(async () => {
      await reconcile();
      expect(await rowOf(again)).toMatchObject({ state: 'closed', outcome: 'verified' });
    });
    expect(scene.models.calls(text)).toHaveLength(2);
  });
});

async function erase(workflowId: string): Promise<void> {
  await scene.client.workflowService.deleteWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId },
  });
  await eventually(async () => expect(await statusOf(workflowId)).toBe('NOT_FOUND'));
}

describe.concurrent('a run that goes on', () => {
  it('is left alone', async () => {
    const { extraction, release, text } = await midCall();
    await reconcile();
    expect(await rowOf(extraction)).toMatchObject({ state: 'open' });
    release();
    expect((await scene.ended(extraction)).outcome).toMatchObject({ kind: 'verified' });
    expect(scene.models.calls(text)).toHaveLength(1);
  });
});

describe.concurrent('an open review whose workflow is gone', () => {
  it('because it was terminated, gets it again and can be decided', async () => {
    const ended = await reviewed();
    await handleOf(workflowIds.humanReview(ended.extraction.subject)).terminate('tired of it');
    await reconcile();
    expect(await reviewStatus(ended)).toBe('RUNNING');
    expect((await reject(ended)).task).toMatchObject({ state: 'decided', verdict: 'reject' });
    await eventually(async () => expect(await reviewStatus(ended)).toBe('COMPLETED'));
  });

  it('is another matter than a workflow whose question was settled: that one is ended', async () => {
    const ended = await reviewed();
    const { extraction } = ended;
    const { store } = scene.house.app;
    // Verified by a run that was ended before it could tell the review.
    const text = { promptVersion: 'v9', key: `${extraction.key.slice(0, 60)}0000` };
    const { extraction: other } = await store.extractions.open(
      { ...extraction, ...text, at: Date.now() },
      false,
    );
    const [attempt] = await store.attempts.list(extraction.key, 1);
    if (attempt === undefined) throw new Error('there was no attempt');
    const { withdrewReview } = await store.attempts.commit({
      ...attempt,
      ...{ ref: other, verifierVersion: 'v', at: Date.now(), sample: null },
      report: { ...attempt.report, result: { kind: 'accepted', candidateHash: 'c'.repeat(64) } },
    });
    expect(withdrewReview).toBe(true);
    await eventually(async () => {
      await reconcile();
      expect(await reviewStatus(ended)).toBe('COMPLETED');
    });
  });

  it('because the one before was about to close when it was asked for, gets one of its own', async () => {
    const ended = await reviewed();
    const { extraction } = ended;
    const { store } = scene.house.app;
    const subject = extraction.subject;
    // Sent back and exhausted again, and the start of its review found the workflow of the first one still there.
    const { tenant, specId } = extraction;
    const asked = await store.reviews.addDecision({
      ...{ reviewId: subject, actor: 'ada', verb: 'redrive', values: null, note: null, overrides: [] },
      ...{ version: 1, at: Date.now() },
    });
    if (asked?.kind !== 'asked') throw new Error('the decision was refused');
    const clock = { subject, tenant, specId, slaMs: 60_000 };
    await scene.house.app.engine.decideReview(clock, asked.eventId, 'redrive');
    await eventually(async () => expect(await reviewStatus(ended)).toBe('COMPLETED'));
    const { extraction: second } = await store.extractions.open({ ...extraction, at: Date.now() }, true);
    const at = Date.now();
    await store.extractions.land({
      ref: second,
      ending: {
        ...{ kind: 'unverified', attempts: 0, reason: 'attempt_cap', failureClass: null },
        ...{ diagnosis: null, repliesRead: 0 },
      },
      ...{ at, route: 'human_review', bestAttempt: null, amount: null, reviewDueAt: at + 60_000 },
    });
    expect(await store.reviews.find(subject)).toMatchObject({ state: 'open', run: 2 });
    await reconcile();
    expect(await reviewStatus(ended)).toBe('RUNNING');
    expect((await reject(ended)).task).toMatchObject({ state: 'decided' });
  });
});

// From here on one at a time: another test's reconciling would come first.

describe('a run that was ended between its landing and its place', () => {
  /** Closed in the store on its way to `route`, with a candidate, and no workflow any more. */
  const cutOff = async (route: 'fallback' | 'best_effort') => {
    const { extraction, release } = await midCall(2, [misread]);
    await terminate(extraction);
    await scene.house.app.store.extractions.land({
      ref: extraction,
      ending: {
        ...{ kind: 'unverified', attempts: 1, reason: 'attempt_cap', failureClass: 'constraint' },
        ...{ diagnosis: null, repliesRead: 1 },
      },
      ...{ at: Date.now(), route, bestAttempt: 1, amount: null, reviewDueAt: null },
    });
    release();
    return extraction;
  };

  it('is kept as a best effort after all', async () => {
    const extraction = await cutOff('best_effort');
    await reconcile();
    await eventually(async () => {
      const records = await scene.house.app.store.records.ofKey(extraction.key);
      expect(records.map(({ status }) => status)).toEqual(['best_effort']);
    });
  });

  it('is parked when it was to have a fallback', async () => {
    const extraction = await cutOff('fallback');
    await reconcile();
    expect(await rowOf(extraction)).toMatchObject({ reason: 'attempt_cap', route: 'dead_letter' });
    expect(await letterOf(extraction)).toMatchObject({ state: 'parked', reason: 'attempt_cap' });
  });
});

describe('a run whose workflow is gone', () => {
  it('because it timed out is closed and parked', async () => {
    const { row, input } = await scene.prepare({ spec: plain, text: claimText({}) });
    await scene.client.workflow.start('extraction', {
      workflowId: workflowIds.extraction(row.key),
      taskQueue: 'nobody-listens',
      args: [input],
      workflowExecutionTimeout: '200ms',
    });
    await eventually(async () => {
      expect(await statusOf(workflowIds.extraction(row.key))).toBe('TIMED_OUT');
    });
    await reconcile();
    expect(await rowOf(row)).toMatchObject(lost(0));
  });

  it('because the redrive died that had opened it, is started, although the key has an older workflow', async () => {
    const text = claimText({});
    const turns = [overloaded, overloaded, overloaded, fine];
    const { extraction } = await scene.run({ spec: plain, text, turns });
    const { store, engine } = scene.house.app;
    const taking = await store.deadLetters.take(extraction.key, { ...extraction, at: Date.now() });
    expect(taking).toMatchObject({ kind: 'opened', extraction: { run: 2 } });
    expect(await engine.standingOfRun({ key: extraction.key, run: 1 })).toBe('ended');
    expect(await engine.standingOfRun({ key: extraction.key, run: 2 })).toBe('missing');
    await reconcile();
    await eventually(async () => {
      const again = await store.extractions.find(extraction.key);
      expect(again).toMatchObject({ run: 2, outcome: 'verified' });
    });
    expect(await letterOf(extraction)).toMatchObject({ state: 'recovered' });
  });

  it('because its history was deleted, is started again and pays for nothing twice', async () => {
    const { extraction, release, text } = await midCall(2, [misread]);
    await erase(workflowIds.extraction(extraction.key));
    scene.models.plan(text, [fine]);
    await reconcile();
    const ended = await scene.ended(extraction);
    expect(ended.extraction).toMatchObject({ outcome: 'verified', attempts: 2 });
    // The first attempt was stored, so it was not made again; the second was cut off before it was.
    expect(scene.models.calls(text)).toHaveLength(3);
    release();
  });

  it('because it never was, is closed and parked when its deadline has passed', async () => {
    const text = claimText({});
    const { row } = await scene.prepare({ spec: brief, text });
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, row.deadlineAt - Date.now() + 10)));
    await reconcile();
    expect(await rowOf(row)).toMatchObject(lost(0));
    expect(await letterOf(row)).toMatchObject({ state: 'parked' });
    expect(scene.models.calls(text)).toEqual([]);
  });
});

describe('a batch whose workflow is gone', () => {
  const standing = (id: string) => scene.house.app.store.batches.find(id).then((row) => row?.state);
  const lose = async (id: string) => await handleOf(workflowIds.batch(id)).terminate('by accident');

  it('gets another one, which goes on and runs nothing twice', async () => {
    const { turn, release } = held(fine);
    const batch = await prepareBatch(
      scene,
      'lost',
      plain,
      Array.from({ length: 5 }, () => [turn]),
      { inFlight: 2 },
    );
    await batch.start();
    await Promise.all(batch.texts.slice(0, 2).map((text) => scene.models.arrived(text, 1)));
    await lose('lost');
    expect(await reconcile()).toMatchObject({ restartedBatches: 1 });
    expect(await statusOf(workflowIds.batch('lost'))).toBe('RUNNING');
    expect(await reconcile()).toMatchObject({ restartedBatches: 0 });
    release();
    expect(await batch.ended()).toMatchObject({ state: 'finished', verified: 5, runs: { own: 5 } });
    expect(batch.calls()).toBe(5);
    expect(await reconcile()).toMatchObject({ restartedBatches: 0 });
  });

  it('while it was stopping is seen to its end, and begins nothing more', async () => {
    const { turn, release } = held(fine);
    const batch = await prepareBatch(scene, 'stopping', plain, [[turn], [turn], [fine]], { inFlight: 2 });
    await batch.start();
    await Promise.all(batch.texts.slice(0, 2).map((text) => scene.models.arrived(text, 1)));
    await cancelBatch(scene.house.app, 'stopping', 'let_finish');
    await eventually(async () => expect(await standing('stopping')).toBe('stopping'));
    await lose('stopping');
    expect(await reconcile()).toMatchObject({ restartedBatches: 1 });
    release();
    expect(await batch.ended()).toMatchObject({ state: 'cancelled', verified: 2, waiting: 1 });
    expect(batch.calls()).toBe(2);
    // It was cancelled: nobody starts it but who resumes it.
    await eventually(async () => expect(await statusOf(workflowIds.batch('stopping'))).toBe('COMPLETED'));
    expect(await reconcile()).toMatchObject({ restartedBatches: 0 });
    expect(await standing('stopping')).toBe('cancelled');
  });
});

describe('an open review whose history was deleted', () => {
  it('gets a workflow again and can be decided', async () => {
    const ended = await reviewed();
    await erase(workflowIds.humanReview(ended.extraction.subject));
    await reconcile();
    expect(await reviewStatus(ended)).toBe('RUNNING');
    expect((await reject(ended)).task).toMatchObject({ state: 'decided' });
  });
});

describe('the schedule', () => {
  const server = () => ({ address: scene.house.temporal.address, namespace: 'default' });
  const schedule = () => scene.client.schedule.getHandle(reconcileScheduleId);

  it('is made by whichever worker comes first, and stays paused when somebody paused it', async () => {
    await Promise.all([scheduleReconciler(server()), scheduleReconciler(server())]);
    expect((await schedule().describe()).info.lastUpdatedAt).toBeUndefined();
    await schedule().pause('for the night');
    await eventually(async () => expect((await schedule().describe()).state.paused).toBe(true));
    await scheduleReconciler(server(), 30_000);
    const { spec, state, policies } = await schedule().describe();
    expect(state).toMatchObject({ paused: true, note: 'for the night' });
    expect(spec.intervals).toEqual([expect.objectContaining({ every: 30_000 })]);
    expect(policies.overlap).toBe('SKIP');
    await schedule().unpause();
  });

  it('runs the reconciler, which says what it mended', async () => {
    const { extraction, release } = await midCall();
    await terminate(extraction);
    // Old enough to be looked at.
    const database = new PostgresClient({ connectionString: scene.house.database.databaseUrl });
    await database.connect();
    await database.query('update extractions set started_at = started_at - 60000 where key = $1', [
      extraction.key,
    ]);
    await database.end();
    const closed = async () => (await rowOf(extraction))?.state === 'closed';
    // A busy server may take its time with a trigger; another one does no harm.
    for (let tries = 0; tries < 3 && !(await closed()); tries += 1) {
      await schedule().trigger();
      await eventually(async () => expect(await closed()).toBe(true)).catch(() => undefined);
    }
    expect(await rowOf(extraction)).toMatchObject(lost(0));
    release();
    const { recentActions } = (await schedule().describe()).info;
    const mended = await Promise.all(
      recentActions.map(async ({ action }) => {
        const { workflowId, firstExecutionRunId } = action.workflow;
        return await scene.client.workflow.getHandle(workflowId, firstExecutionRunId).result();
      }),
    );
    expect(mended).toContainEqual(expect.objectContaining({ closedRuns: 1 }));
  });
});
