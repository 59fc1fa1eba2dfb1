import {
  Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { taskQueues } from '../../domain/task-queue.js';
import { connect, type TemporalServer } from './connection.js';
import { converterWith } from './data-converter.js';

/** Longer than a run ever should take: one that no worker takes does not keep later ones away for good. */
const longestRunMs = 1_800_000;

export const reconcileScheduleId = 'endstop-reconcile';
export const retentionScheduleId = 'endstop-retention';

/**
 * Makes the schedule that runs the reconciler, or brings the one there is up to date; whoever paused it finds it paused.
 * Safe by several workers at once.
 * @throws EngineUnavailable when the server does not answer.
 */
export async function scheduleReconciler(server: TemporalServer, everyMs = 60_000): Promise<void> {
  await keepSchedule(server, reconcileScheduleId, everyMs, {
    workflowType: 'reconcile',
    workflowId: 'reconcile',
    staticSummary: 'closes, restarts and settles what the store holds open and no workflow carries',
  });
}

/** The same for the sweep that erases what is older than its tenant allows. @throws EngineUnavailable */
export async function scheduleRetention(server: TemporalServer, everyMs = 3_600_000): Promise<void> {
  await keepSchedule(server, retentionScheduleId, everyMs, {
    workflowType: 'sweepRetention',
    workflowId: 'sweep-retention',
    staticSummary: 'erases documents that are older than their tenant allows',
  });
}

interface ScheduledWorkflow {
  readonly workflowType: string;
  readonly workflowId: string;
  readonly staticSummary: string;
}

async function keepSchedule(
  server: TemporalServer,
  scheduleId: string,
  everyMs: number,
  workflow: ScheduledWorkflow,
): Promise<void> {
  const connection = await connect(server);
  try {
    const { schedule } = new Client({
      connection,
      namespace: server.namespace,
      dataConverter: converterWith(server.codecKeys),
    });
    const options = optionsOf(scheduleId, everyMs, workflow);
    try {
      await schedule.create(options);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      const kept = schedule.getHandle(scheduleId);
      // An update carries the state it read, and would undo a pause that comes at the same moment: none without need.
      if (isUpToDate(await kept.describe(), everyMs, workflow)) return;
      const { action, spec, policies } = options;
      await kept.update(({ state }) => ({ action, spec, policies: policies ?? {}, state }));
    }
  } finally {
    await connection.close();
  }
}

function isUpToDate(
  { spec, action, policies }: ScheduleDescription,
  everyMs: number,
  { workflowType }: ScheduledWorkflow,
): boolean {
  const [interval, ...others] = spec.intervals ?? [];
  return (
    interval?.every === everyMs &&
    others.length === 0 &&
    action.workflowType === workflowType &&
    action.taskQueue === taskQueues.workflows &&
    action.workflowExecutionTimeout === longestRunMs &&
    policies.overlap === ScheduleOverlapPolicy.SKIP
  );
}

function optionsOf(scheduleId: string, everyMs: number, workflow: ScheduledWorkflow): ScheduleOptions {
  return {
    scheduleId,
    action: {
      type: 'startWorkflow',
      ...workflow,
      taskQueue: taskQueues.workflows,
      args: [],
      workflowExecutionTimeout: longestRunMs,
    },
    spec: { intervals: [{ every: everyMs }] },
    // One at a time; what was missed while no server ran is not made up for.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10s' },
  };
}
