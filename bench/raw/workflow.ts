import { proxyActivities } from '@temporalio/workflow';
import type { RawActivities } from './activities.js';
import { rawQueues } from './queues.js';

const { ask } = proxyActivities<RawActivities>({
  taskQueue: rawQueues.activities,
  allowEagerDispatch: false,
  startToCloseTimeout: '60s',
  scheduleToCloseTimeout: '60s',
  heartbeatTimeout: '15s',
  retry: { maximumAttempts: 3 },
});

/** What one writes on the first day: the document goes in, the reply comes out, nothing is checked or kept. */
export async function raw(text: string): Promise<string> {
  return await ask(text);
}
