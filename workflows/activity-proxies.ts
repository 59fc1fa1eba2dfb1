import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { LaneActivities, StoreActivities } from '../activities/contract.js';
import type { AttemptDecision } from '../src/domain/decision.js';
import { taskQueues } from '../src/domain/task-queue.js';

/** A lost worker is noticed by its missing heartbeat, of whatever it was doing. */
export const heartbeatTimeout = '15s';
/** A lost worker is not a failed call, hence more starts than calls. */
const maximumStarts = 8;

/**
 * The attempt activity in the lane of this decision. The lane's wait limit holds for repairs only: a first attempt
 * waits as long as its deadline allows. Eager dispatch would bypass the lanes, so it is off.
 */
export function attemptActivity(
  decision: AttemptDecision,
  remainingMs: number,
  repairWaitMs: number,
): LaneActivities['attempt'] {
  const { attempt } = proxyActivities<LaneActivities>({
    taskQueue: taskQueues[decision.lane],
    allowEagerDispatch: false,
    startToCloseTimeout: remainingMs,
    scheduleToCloseTimeout: remainingMs,
    ...(decision.lane === 'repair' ? { scheduleToStartTimeout: repairWaitMs } : {}),
    heartbeatTimeout,
    cancellationType: 'TRY_CANCEL',
    summary: `attempt ${decision.attempt}, ${decision.lane}, ceiling ${decision.maxTokens}`,
    retry: {
      maximumAttempts: maximumStarts,
      initialInterval: '500ms',
      maximumInterval: '5s',
      nonRetryableErrorTypes: ['PayloadsTooLarge'],
    },
  });
  return attempt;
}

/** The permit is asked for in the workflow worker itself: one short statement needs no task of its own. */
export function permitActivity(remainingMs: number): StoreActivities['takePermit'] {
  const { takePermit } = proxyLocalActivities<Pick<StoreActivities, 'takePermit'>>({
    startToCloseTimeout: '5s',
    scheduleToCloseTimeout: remainingMs,
    retry: { maximumAttempts: 5, initialInterval: '200ms', maximumInterval: '2s' },
  });
  return takePermit;
}

/** Store work outside the deadline: an ending must land, so it is tried for a day. */
export const storeActivities = proxyActivities<Omit<StoreActivities, 'takePermit'>>({
  taskQueue: taskQueues.store,
  allowEagerDispatch: false,
  startToCloseTimeout: '60s',
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
