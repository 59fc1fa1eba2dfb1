import { ApplicationFailure } from '@temporalio/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LaneActivities } from '../../activities/contract.js';
import type { WorkerLane } from '../../src/adapters/temporal/worker-lanes.js';
import { taskQueues } from '../../src/domain/task-queue.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { eventually } from '../support/eventually.js';
import { claimText } from '../support/papers.js';
import { claimSpec } from './claim-specs.js';
import { laneActivities, startLanes } from './lane-workers.js';
import { openScene, type Scene } from './scene.js';

const plain = claimSpec('claim-plain', { policy: { repairLaneWaitMs: 1_000 } });
const reworded = claimSpec('claim-plain', {
  prompt: { version: '2', text: 'Read the claim form carefully.' },
});
const hurried = claimSpec('claim-hurried', { policy: { deadlineMs: 3_000 } });

/** Swapped digits in the first answer; feedback mends them. */
const misread = { behaviour: { misread: 1 } };

let scene: Scene;
/** The house itself has no worker for either lane. */
beforeAll(async () => {
  scene = await openScene({ specs: [reworded, plain, hurried], lanes: ['workflows', 'store'] });
});
afterAll(() => scene.close());
afterEach(async () => {
  await stopLanes();
  stopLanes = async () => undefined;
});

let stopLanes = async (): Promise<void> => undefined;
const start = async (lanes: readonly WorkerLane[], activities?: LaneActivities): Promise<void> => {
  stopLanes = await startLanes(scene, lanes, activities);
};

const handleOf = ({ key }: Extraction) => scene.client.workflow.getHandle(workflowIds.extraction(key));

/** Task queues of the activities that a run scheduled, in order. */
async function queuesOf(extraction: Extraction): Promise<readonly unknown[]> {
  const { events } = await handleOf(extraction).fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [scheduled.taskQueue?.name] : [],
  );
}

describe('a lane without a worker', () => {
  it('keeps a first attempt waiting until the deadline, and no other worker takes it', async () => {
    const text = claimText({});
    const extraction = await scene.submit({ spec: hurried, text });
    await eventually(async () => {
      const { raw } = await handleOf(extraction).describe();
      expect(raw.pendingActivities).toEqual([expect.objectContaining({ state: 1, attempt: 1 })]);
    });
    const ended = await scene.ended(extraction);
    expect(ended.extraction).toMatchObject({
      reason: 'deadline',
      attempts: 0,
      calls: 0,
      route: 'dead_letter',
    });
    expect(await queuesOf(extraction)).toEqual([taskQueues.first, taskQueues.store]);
    expect(scene.models.calls(text)).toEqual([]);
  });

  it('refuses a repair after its wait, and asks no person about it', async () => {
    await start(['first']);
    const text = claimText({});
    const ended = await scene.run({ spec: plain, text, turns: [misread] });
    expect(ended.extraction).toMatchObject({
      reason: 'no_capacity',
      failureClass: 'constraint',
      attempts: 1,
      calls: 1,
      route: 'dead_letter',
    });
    expect(await queuesOf(ended.extraction)).toEqual([taskQueues.first, taskQueues.repair, taskQueues.store]);
    const { events } = await handleOf(ended.extraction).fetchHistory();
    expect(events?.some((event) => event.activityTaskTimedOutEventAttributes)).toBe(true);
  });
});

describe('no repair worker at all', () => {
  it('ends every repair as no_capacity, while first attempts go on verifying', async () => {
    await start(['first']);
    const runs = Array.from({ length: 12 }, (_, index) =>
      scene.run({ spec: plain, text: claimText({}), turns: index % 2 === 0 ? [misread] : [] }),
    );
    const ends = (await Promise.all(runs)).map(({ extraction }) => extraction);
    const failing = ends.filter((_, index) => index % 2 === 0);
    const clean = ends.filter((_, index) => index % 2 === 1);
    for (const row of failing) {
      expect(row).toMatchObject({ reason: 'no_capacity', attempts: 1, calls: 1, route: 'dead_letter' });
    }
    for (const row of clean) expect(row).toMatchObject({ outcome: 'verified', attempts: 1 });
  });
});

describe('lanes', () => {
  it('carry first attempts and repairs on queues of their own, at one activity each', async () => {
    await start(['first', 'repair']);
    const clean = await scene.run({ spec: plain, text: claimText({}) });
    expect(clean.outcome?.kind).toBe('verified');
    expect(await queuesOf(clean.extraction)).toEqual([taskQueues.first]);
    const repaired = await scene.run({ spec: plain, text: claimText({}), turns: [misread] });
    expect(repaired.extraction).toMatchObject({ outcome: 'verified', attempts: 2, calls: 2 });
    expect(await queuesOf(repaired.extraction)).toEqual([taskQueues.first, taskQueues.repair]);
    // The permit is a local activity: a marker, and no timer.
    const events = await scene.events(repaired.extraction);
    expect(events.filter((event) => event === 'markerRecorded')).toHaveLength(1);
    expect(events).not.toContain('timerStarted');
  });

  it('poll for activities only, and the workflow worker for workflows only', async () => {
    await start(['first', 'repair']);
    const pollers = async (queue: string, taskQueueType: number) => {
      const { connection } = scene.client;
      const described = await connection.workflowService.describeTaskQueue({
        namespace: 'default',
        taskQueue: { name: queue },
        taskQueueType,
      });
      // Pollers that went away are remembered for some minutes; one that is there asks at least once a minute.
      const since = Date.now() - 70_000;
      return (described.pollers ?? []).filter(
        ({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000 > since,
      ).length;
    };
    const [workflowTasks, activityTasks] = [1, 2];
    for (const queue of [taskQueues.first, taskQueues.repair, taskQueues.store]) {
      await eventually(async () => expect(await pollers(queue, activityTasks)).toBeGreaterThan(0));
      expect(await pollers(queue, workflowTasks)).toBe(0);
    }
    await eventually(async () =>
      expect(await pollers(taskQueues.workflows, workflowTasks)).toBeGreaterThan(0),
    );
    expect(await pollers(taskQueues.workflows, activityTasks)).toBe(0);
  });
});

describe('a worker of another make', () => {
  it.each([
    { name: 'nothing', output: undefined },
    { name: 'no report', output: {} },
    { name: 'a report without a result', output: { report: { attempt: 1 }, withdrewReview: false } },
  ])('that answers $name lands the run as internal_error instead of hanging it', async ({ output }) => {
    await start(['first'], { attempt: async () => output as never });
    const ended = await scene.run({ spec: plain, text: claimText({}) });
    expect(ended.extraction).toMatchObject({ reason: 'internal_error', attempts: 0, route: 'dead_letter' });
    expect((await handleOf(ended.extraction).describe()).status.name).toBe('COMPLETED');
  });

  it('that leaves out what the decisions look at lands the run as internal_error, too', async () => {
    const attempt: LaneActivities['attempt'] = async ({ decision: { attempt, lane, model, maxTokens } }) => {
      const kind = { kind: 'rejected', failureClass: 'constraint', repairable: true };
      const result = { ...kind, problems: [], candidateHash: 'ab' };
      const counts = { tokens: 1, cost: { amount: '0', currency: 'USD' }, durationMs: 1, calls: 1 };
      return {
        report: { attempt, lane, model, maxTokens, result, ...counts },
        withdrewReview: false,
      } as never;
    };
    await start(['first', 'repair'], { attempt });
    const ended = await scene.run({ spec: plain, text: claimText({}) });
    expect(ended.extraction).toMatchObject({ reason: 'internal_error', attempts: 1, route: 'dead_letter' });
  });
});

describe('a worker whose word is lost after it stored an answer that holds', () => {
  it('leaves a verified run, and withdraws the review that its answer settled', async () => {
    const text = claimText({});
    const { app } = scene.house;
    await start(['first', 'repair']);
    const older = { ...app, catalogue: createCatalogue([plain]) };
    const stubborn = { behaviour: { misread: 1, stubborn: 1 } };
    const asked = await scene.run({ spec: plain, text, turns: [stubborn], app: older });
    const review = scene.client.workflow.getHandle(workflowIds.humanReview(asked.extraction.subject));
    await eventually(async () => expect((await review.describe()).status.name).toBe('RUNNING'));
    await stopLanes();

    const { attempt } = laneActivities(scene);
    const lossy: LaneActivities['attempt'] = async (input) => {
      await attempt(input);
      throw ApplicationFailure.create({ type: 'internal_error', nonRetryable: true });
    };
    await start(['first'], { attempt: lossy });
    const { extraction } = await scene.run({ spec: reworded, text, turns: [{}] });
    expect(extraction).toMatchObject({ outcome: 'verified', attempts: 1, reason: null });
    expect(await handleOf(extraction).result()).toMatchObject({
      outcome: 'verified',
      attempts: 1,
      reason: null,
    });
    expect(await review.result()).toEqual({ ended: 'withdrawn', verb: null });
    expect(await app.store.reviews.find(extraction.subject)).toMatchObject({ state: 'withdrawn' });
  });
});
