import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import type { RawActivities } from './activities.js';
import { rawQueues } from './queues.js';

/** Workers of the raw workflow, set as the product's are: one for workflows, one for activities with the lane's slots. */
export async function startRawWorkers(
  address: string,
  activities: RawActivities,
  slots: { readonly activities: number; readonly cachedWorkflows: number },
): Promise<{ stop(): Promise<void> }> {
  const connection = await NativeConnection.connect({ address });
  const workflowsPath = fileURLToPath(new URL('./workflow.ts', import.meta.url));
  const workers = [
    await Worker.create({
      connection,
      taskQueue: rawQueues.workflows,
      workflowBundle: await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') }),
      maxCachedWorkflows: slots.cachedWorkflows,
    }),
    await Worker.create({
      connection,
      taskQueue: rawQueues.activities,
      activities: { ...activities },
      maxConcurrentActivityTaskExecutions: slots.activities,
    }),
  ];
  const running = Promise.all(workers.map((worker) => worker.run()));
  return {
    stop: async () => {
      for (const worker of workers) worker.shutdown();
      await running;
      await connection.close();
    },
  };
}
