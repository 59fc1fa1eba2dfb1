import {
  Client,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { taskQueues } from '../../domain/task-queue.js';
import { dataConverter } from './data-converter.js';
import { connect, type TemporalOptions } from './engine.js';

export const reconcileScheduleId = 'endstop-reconcile';

/**
 * Makes the schedule that runs the reconciler, or brings the one there is up to date; whoever paused it finds it paused.
 * Safe by several workers at once.
 * @throws EngineUnavailable when the server does not answer.
 */
export async function scheduleReconciler(
  { address, namespace }: Pick<TemporalOptions, 'address' | 'namespace'>,
  everyMs = 60_000,
): Promise<void> {
  const connection = await connect(address);
  try {
    const { schedule } = new Client({ connection, namespace, dataConverter });
    const options = optionsOf(everyMs);
    try {
      await schedule.create(options);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      const { action, spec, policies } = options;
      await schedule
        .getHandle(reconcileScheduleId)
        .update(({ state }) => ({ action, spec, policies: policies ?? {}, state }));
    }
  } finally {
    await connection.close();
  }
}

function optionsOf(everyMs: number): ScheduleOptions {
  return {
    scheduleId: reconcileScheduleId,
    action: {
      type: 'startWorkflow',
      workflowType: 'reconcile',
      workflowId: 'reconcile',
      taskQueue: taskQueues.workflows,
      args: [],
      // Longer than it ever should take: a run that no worker takes does not keep later ones away for good.
      workflowExecutionTimeout: '30m',
      staticSummary: 'closes, restarts and settles what the store holds open and no workflow carries',
    },
    spec: { intervals: [{ every: everyMs }] },
    // One at a time; what was missed while no server ran is not made up for.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10s' },
  };
}
