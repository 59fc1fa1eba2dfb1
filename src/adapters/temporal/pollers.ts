import type { Connection } from '@temporalio/client';
import { taskQueues } from '../../domain/task-queue.js';

/** Wire numbers of temporal.api.enums.v1.TaskQueueType. */
const workflowQueue = 1;
const activityQueue = 2;

/** The lanes that no worker polls: what is sent there waits, and a repair sent there ends as `no_capacity`. */
export async function lanesWithoutWorker(
  connection: Connection,
  namespace: string,
): Promise<readonly (keyof typeof taskQueues)[]> {
  const lanes = Object.entries(taskQueues) as [keyof typeof taskQueues, string][];
  const polled = await Promise.all(
    lanes.map(async ([lane, name]) => {
      const { pollers } = await connection.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name },
        taskQueueType: lane === 'workflows' ? workflowQueue : activityQueue,
      });
      return (pollers?.length ?? 0) > 0;
    }),
  );
  return lanes.flatMap(([lane], index) => (polled[index] ? [] : [lane]));
}
