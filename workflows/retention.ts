import { proxyActivities, setWorkflowOptions } from '@temporalio/workflow';
import type { UpkeepActivities } from '../activities/contract.js';
import {
  addSwept,
  nothingSwept,
  type SweepPoint,
  type Swept,
  type SweptSome,
} from '../src/domain/retention-sweep.js';
import { taskQueues } from '../src/domain/task-queue.js';
import { heartbeatTimeout } from './activity-proxies.js';
import { workflowOptions } from './options.js';

/** Each looks at a thousand documents at most. What is not reached now is reached by the next run. */
const mostParts = 500;

const { sweepSome } = proxyActivities<UpkeepActivities>({
  taskQueue: taskQueues.store,
  allowEagerDispatch: false,
  startToCloseTimeout: '5m',
  scheduleToCloseTimeout: '20m',
  heartbeatTimeout,
  cancellationType: 'TRY_CANCEL',
  retry: { maximumAttempts: 20, initialInterval: '1s', maximumInterval: '30s' },
});

// Half an hour at most: it ends where it began.
setWorkflowOptions(workflowOptions('PINNED'), sweepRetention);

/** Erases what is older than its tenant allows. Run by a schedule, so that it has no end to wait for. */
export async function sweepRetention(): Promise<Swept> {
  let swept = nothingSwept;
  let point: SweepPoint | null = null;
  for (let part = 0; part < mostParts; part += 1) {
    const some: SweptSome = await sweepSome(point);
    swept = addSwept(swept, some.swept);
    point = some.next;
    if (point === null) break;
  }
  return swept;
}
