import type { Client } from '@temporalio/client';
import type { bestEffort } from '../../../workflows/best-effort.js';
import type { humanReview } from '../../../workflows/human-review.js';
import { taskQueues } from '../../domain/task-queue.js';
import { workflowIds } from '../../domain/workflow-id.js';
import type { UpkeepEngine } from '../../ports/engine.js';
import type { Guard } from './guard.js';
import { reviewStartOptions } from './reviews.js';
import { describe, standingOfRun } from './start-extraction.js';

/** What stands before the subject in the id of its review. */
const reviewIds = workflowIds.humanReview('');

export function upkeepEngine(client: Client, guard: Guard): UpkeepEngine {
  return {
    standingOfRun: (run) => guard(() => standingOfRun(client, run)),
    standingOfReview: (subject) =>
      guard(async () => {
        const described = await describe(client, workflowIds.humanReview(subject));
        if (described === null) return 'missing';
        return described.status.name === 'RUNNING' ? 'running' : 'ended';
      }),
    startReview: (review) =>
      guard(async () => {
        await client.workflow.start<typeof humanReview>('humanReview', reviewStartOptions(review));
      }),
    waitingReviews: (before, limit) =>
      guard(async () => {
        const query =
          `WorkflowType = 'humanReview' AND ExecutionStatus = 'Running' ` +
          `AND StartTime < '${new Date(before).toISOString()}'`;
        const waiting: { subject: string; startedAt: number }[] = [];
        for await (const { workflowId, startTime } of client.workflow.list({ query, pageSize: limit })) {
          waiting.push({ subject: workflowId.replace(reviewIds, ''), startedAt: startTime.getTime() });
          if (waiting.length === limit) break;
        }
        return waiting;
      }),
    startBestEffort: (ref) =>
      guard(async () => {
        await client.workflow.start<typeof bestEffort>('bestEffort', {
          workflowId: workflowIds.bestEffort(ref.key, ref.run),
          taskQueue: taskQueues.workflows,
          args: [ref],
          workflowIdConflictPolicy: 'USE_EXISTING',
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          staticSummary: `best effort of ${ref.specId}`,
        });
      }),
  };
}
