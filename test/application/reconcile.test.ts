import { describe, expect, it } from 'vitest';
import { reconcile, reconcileAll } from '../../src/application/reconcile.js';
import { redriveByKey } from '../../src/application/redrive.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { nothingMended } from '../../src/domain/reconciliation.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import { EngineUnavailable } from '../../src/ports/engine.js';
import type { RunSeen } from '../../src/ports/observer.js';
import {
  type Bench,
  createBench,
  exhaustAll,
  rejectedAttempt,
  textSubmission,
} from '../support/fakes/bench.js';
import { runId } from '../support/fakes/memory-store.js';

/** One run that is open, and how its workflow stands after twenty seconds. */
async function openRun(standing: 'ended' | 'missing' | null): Promise<{ bench: Bench; key: string }> {
  const bench = createBench();
  const { extraction } = await submitExtraction(bench.app, textSubmission('a'));
  if (standing !== null) bench.engine.gone.set(workflowIds.extraction(extraction.key), standing);
  bench.pass(20_000);
  return { bench, key: extraction.key };
}

describe('given an open run', () => {
  it('when its workflow runs, then it is left alone', async () => {
    const { bench, key } = await openRun(null);
    expect(await reconcileAll(bench.app)).toEqual(nothingMended);
    expect(await bench.store.extractions.find(key)).toMatchObject({ state: 'open' });
  });

  it('when its workflow was ended, then it is closed with what it came to and parked with its policy', async () => {
    const { bench, key } = await openRun('ended');
    bench.store.attemptRows.set(runId(key, 1), [rejectedAttempt(1)]);
    const told: RunSeen[] = [];
    const observer = { runEnded: (run: RunSeen) => told.push(run) };
    expect(await reconcileAll(bench.app, { observer })).toEqual({ ...nothingMended, closedRuns: 1 });
    // Whoever watches for endings that nobody foresaw hears of this one as well.
    expect(told).toMatchObject([
      { ref: { key }, reason: 'internal_error', route: 'dead_letter', attempts: 1 },
    ]);
    const row = await bench.store.extractions.find(key);
    expect(row).toMatchObject({
      ...{ state: 'closed', outcome: 'unverified', reason: 'internal_error', failureClass: 'constraint' },
      ...{ attempts: 1, route: 'dead_letter' },
    });
    expect(bench.store.letters.get(key)).toMatchObject({ state: 'parked', policy: row?.policy });
    expect(await reconcileAll(bench.app)).toEqual(nothingMended);
  });

  it('when its workflow ended properly after the row was read, then that ending stands', async () => {
    const { bench, key } = await openRun(null);
    bench.engine.standingOfRun = async () => {
      bench.store.end(key, { outcome: 'verified' });
      return 'ended';
    };
    expect(await reconcileAll(bench.app)).toEqual(nothingMended);
    expect(await bench.store.extractions.find(key)).toMatchObject({ outcome: 'verified' });
  });

  it('when its workflow was never there, then it is started again under its frozen bounds', async () => {
    const { bench, key } = await openRun('missing');
    expect(await reconcileAll(bench.app)).toEqual({ ...nothingMended, restartedRuns: 1 });
    expect(bench.engine.started.map((input) => [input.key, input.run])).toEqual([
      [key, 1],
      [key, 1],
    ]);
    expect(bench.engine.started[1]).toEqual(bench.engine.started[0]);
  });

  it('when its workflow was never there and its deadline has passed, then it is closed', async () => {
    const { bench, key } = await openRun('missing');
    bench.pass(60_000);
    expect(await reconcileAll(bench.app)).toEqual({ ...nothingMended, closedRuns: 1 });
    expect(await bench.store.extractions.find(key)).toMatchObject({ reason: 'internal_error', attempts: 0 });
  });

  it('when it is younger than a quarter of a minute, then nobody asks', async () => {
    const bench = createBench();
    const { extraction } = await submitExtraction(bench.app, textSubmission('a'));
    bench.engine.gone.set(workflowIds.extraction(extraction.key), 'missing');
    bench.pass(14_000);
    expect(await reconcileAll(bench.app)).toEqual(nothingMended);
    bench.pass(2_000);
    expect(await reconcileAll(bench.app)).toMatchObject({ restartedRuns: 1 });
  });

  it('when it is only asked what is astray, then nothing changes', async () => {
    const { bench, key } = await openRun('ended');
    expect(await reconcileAll(bench.app, { mends: false })).toMatchObject({ closedRuns: 1 });
    expect(await bench.store.extractions.find(key)).toMatchObject({ state: 'open' });
  });

  it('when one of several breaks whoever looks at it, then the others are mended all the same', async () => {
    const { bench, key } = await openRun('ended');
    const { extraction } = await submitExtraction(bench.app, textSubmission('b'));
    bench.engine.gone.set(workflowIds.extraction(extraction.key), 'ended');
    bench.pass(20_000);
    const { land } = bench.store.extractions;
    bench.store.extractions.land = async (landing) => {
      if (landing.ref.key === extraction.key) throw new Error('odd data');
      return await land(landing);
    };
    const faults: unknown[] = [];
    const mended = await reconcileAll(bench.app, { onFault: (fault) => faults.push(fault) });
    expect(mended).toEqual({ ...nothingMended, closedRuns: 1, failed: 1 });
    expect(faults).toEqual([new Error('odd data')]);
    expect(await bench.store.extractions.find(key)).toMatchObject({ state: 'closed' });
  });

  it('when the engine cannot be reached, then nothing is taken for lost', async () => {
    const { bench, key } = await openRun('ended');
    bench.engine.down = true;
    await expect(reconcileAll(bench.app)).rejects.toThrow(EngineUnavailable);
    expect(await bench.store.extractions.find(key)).toMatchObject({ state: 'open' });
  });
});

it('given more open runs than a page holds, when they are reconciled, then all of them are', async () => {
  const bench = createBench();
  for (let index = 0; index < 230; index += 1) {
    const { extraction } = await submitExtraction(bench.app, textSubmission(`document ${index}`));
    bench.engine.gone.set(workflowIds.extraction(extraction.key), 'ended');
  }
  bench.pass(20_000);
  const page = await reconcile(bench.app, { part: 'runs', cursor: null }, { mends: false });
  expect(page.mended.closedRuns).toBe(100);
  expect(page.cursor).not.toBeNull();
  expect(await reconcileAll(bench.app, { mends: false })).toMatchObject({ closedRuns: 230 });
});

describe('given an open review', () => {
  const reviewed = async () => {
    const bench = createBench();
    exhaustAll(bench, 'human_review');
    await submitExtraction(bench.app, textSubmission('a'));
    const [subject = ''] = bench.store.reviews.tasks.keys();
    bench.pass(20_000);
    return { bench, subject };
  };

  it('when its workflow runs, then it is left alone', async () => {
    const { bench } = await reviewed();
    expect(await reconcileAll(bench.app)).toEqual(nothingMended);
  });

  it.each(['ended', 'missing'] as const)(
    'when its workflow is %s, then it gets one for what is left of its time',
    async (standing) => {
      const { bench, subject } = await reviewed();
      bench.engine.gone.set(workflowIds.humanReview(subject), standing);
      expect(await reconcileAll(bench.app)).toEqual({ ...nothingMended, restartedReviews: 1 });
      const [review] = bench.engine.startedReviews;
      expect(review).toMatchObject({ subject, tenant: 'acme', specId: 'receipt' });
      expect(review?.slaMs).toBeGreaterThan(3_570_000);
      expect(review?.slaMs).toBeLessThan(3_580_000);
      expect(await reconcileAll(bench.app)).toEqual(nothingMended);
    },
  );

  it('when its time is over, too, then its workflow escalates it at once', async () => {
    const { bench, subject } = await reviewed();
    bench.engine.gone.set(workflowIds.humanReview(subject), 'missing');
    bench.pass(7_200_000);
    await reconcileAll(bench.app);
    expect(bench.engine.startedReviews[0]?.slaMs).toBe(1);
  });

  it('when it is decided while it is looked at, then no workflow is started for it', async () => {
    const { bench, subject } = await reviewed();
    bench.engine.standingOfReview = async () => {
      const task = bench.store.reviews.tasks.get(subject);
      if (task !== undefined) bench.store.reviews.tasks.set(subject, { ...task, state: 'decided' });
      return 'ended';
    };
    expect(await reconcileAll(bench.app)).toEqual(nothingMended);
    expect(bench.engine.startedReviews).toEqual([]);
  });
});

describe('given a run that was ended between its landing and its place', () => {
  const cutOff = async (route: 'fallback' | 'best_effort') => {
    const bench = createBench();
    const { extraction } = await submitExtraction(bench.app, textSubmission('a'));
    const { key } = extraction;
    const why = { reason: 'no_progress', failureClass: 'constraint' } as const;
    bench.store.end(key, { outcome: 'unverified', ...why, route, attempts: 1 });
    bench.store.attemptRows.set(runId(key, 1), [rejectedAttempt(1)]);
    bench.pass(20_000);
    return { bench, key };
  };

  it('when it was to have a fallback, then it is parked and keeps how it ended', async () => {
    const { bench, key } = await cutOff('fallback');
    bench.engine.gone.set(workflowIds.extraction(key), 'ended');
    expect(await reconcileAll(bench.app)).toEqual({ ...nothingMended, landedRuns: 1 });
    const ended = { reason: 'no_progress', failureClass: 'constraint' };
    expect(await bench.store.extractions.find(key)).toMatchObject({ ...ended, route: 'dead_letter' });
    expect(bench.store.letters.get(key)).toMatchObject({ ...ended, state: 'parked' });
    expect(await reconcileAll(bench.app)).toEqual(nothingMended);
  });

  it('when it was to be kept as a best effort, then it is; one without a candidate has nothing to keep', async () => {
    const { bench, key } = await cutOff('best_effort');
    bench.engine.gone.set(workflowIds.extraction(key), 'missing');
    expect(await reconcileAll(bench.app)).toEqual({ ...nothingMended, landedRuns: 1 });
    expect(bench.engine.startedBestEfforts).toEqual([expect.objectContaining({ key, run: 1 })]);
    expect(bench.engine.startedBestEfforts[0]).not.toHaveProperty('policy');
    bench.store.attemptRows.set(runId(key, 1), []);
    expect(await reconcileAll(bench.app)).toEqual(nothingMended);
  });

  it('when its workflow is still at it, then it is left alone', async () => {
    const { bench } = await cutOff('fallback');
    bench.engine.standingOfRun = async () => 'running';
    expect(await reconcileAll(bench.app)).toEqual(nothingMended);
  });
});

it('given a review workflow that waits, when the store has nothing to ask any more, then it is told so', async () => {
  const bench = createBench();
  exhaustAll(bench, 'human_review');
  await submitExtraction(bench.app, textSubmission('a'));
  const [task] = bench.store.reviews.tasks.values();
  if (task === undefined) throw new Error('nothing is asked');
  const withdrawn: string[] = [];
  bench.engine.withdrawReview = async (subject) => void withdrawn.push(subject);
  bench.engine.waiting.push(
    { subject: task.subject, startedAt: 1 },
    { subject: 'f'.repeat(64), startedAt: 0 },
  );
  expect(await reconcileAll(bench.app)).toEqual({ ...nothingMended, endedReviews: 1 });
  expect(withdrawn).toEqual(['f'.repeat(64)]);
  bench.store.reviews.tasks.set(task.id, { ...task, state: 'withdrawn' });
  expect(await reconcileAll(bench.app)).toMatchObject({ endedReviews: 2 });
});

it('given a redriven letter, when its run was ended from outside, then run and letter are settled', async () => {
  const bench = createBench();
  exhaustAll(bench, 'dead_letter');
  const { extraction } = await submitExtraction(bench.app, textSubmission('a'));
  bench.engine.script = () => null;
  await redriveByKey(bench.app, extraction.key, 'v1');
  const into = bench.engine.started[1]?.key ?? '';
  expect(bench.store.letters.get(extraction.key)).toMatchObject({ state: 'redriven' });
  bench.store.end(into, { outcome: 'unverified', reason: 'cancelled' });
  bench.pass(20_000);
  expect(await reconcileAll(bench.app)).toEqual({ ...nothingMended, parkedLetters: 1 });
  expect(bench.store.letters.get(extraction.key)).toMatchObject({ state: 'parked' });
});
