import { proxyActivities } from '@temporalio/workflow';
import type { UpkeepActivities } from '../activities/contract.js';
import { taskQueues } from '../src/domain/task-queue.js';
import { heartbeatTimeout } from './activity-proxies.js';

/** Some ten events a step: as a rule the server suggests a new history at 4,096 and refuses more than 51,200. */
export const mostEvents = 2_000;

/** Steps of a sliding window. A store or an engine that is away for a day ends it; asked for again it goes on. */
export const { batchStep, redriveStep } = proxyActivities<UpkeepActivities>({
  taskQueue: taskQueues.store,
  allowEagerDispatch: false,
  startToCloseTimeout: '120s',
  scheduleToCloseTimeout: '24h',
  heartbeatTimeout,
  cancellationType: 'TRY_CANCEL',
  retry: {
    maximumAttempts: 10_000,
    initialInterval: '500ms',
    maximumInterval: '30s',
    nonRetryableErrorTypes: ['PayloadsTooLarge'],
  },
});
