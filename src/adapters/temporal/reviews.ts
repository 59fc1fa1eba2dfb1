import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import type { humanReview } from '../../../workflows/human-review.js';
import { decideUpdate, supersededSignal } from '../../../workflows/messages.js';
import { searchAttributes } from '../../../workflows/search-attributes.js';
import { taskQueues } from '../../domain/task-queue.js';
import { workflowIds } from '../../domain/workflow-id.js';
import { type ReviewClock, ReviewClosed } from '../../ports/engine.js';
import type { ReviewVerb } from '../../ports/review-store.js';

/**
 * Has a stored decision carried out by the review's workflow. The decision is the store's, the workflow only keeps the
 * clock: one that was terminated or is past its retention is started anew for it, and ends by itself if the store has
 * nothing left to ask.
 * @throws ReviewClosed
 */
export async function decideReview(
  client: Client,
  review: ReviewClock,
  eventId: string,
  verb: ReviewVerb,
): Promise<void> {
  const update = { args: [{ eventId, verb }] as [{ eventId: string; verb: ReviewVerb }], updateId: eventId };
  const handle = client.workflow.getHandle(workflowIds.humanReview(review.subject));
  try {
    await handle.executeUpdate(decideUpdate, update).catch(async (error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      await client.workflow.executeUpdateWithStart(decideUpdate, {
        ...update,
        startWorkflowOperation: new WithStartWorkflowOperation<typeof humanReview>(
          'humanReview',
          reviewStartOptions(review),
        ),
      });
    });
  } catch (error) {
    if (!(error instanceof WorkflowUpdateFailedError)) throw error;
    throw new ReviewClosed('This review is not open any more, or another decision is being carried out.');
  }
}

/** Ends the workflow of a review that has nothing to ask any more; there may be none. */
export async function withdrawReview(client: Client, subject: string): Promise<void> {
  await client.workflow
    .getHandle(workflowIds.humanReview(subject))
    .signal(supersededSignal)
    .catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
}

/** How the workflow of a review is started, by whoever misses it; one that runs is attached to. */
export function reviewStartOptions({ subject, tenant, specId, slaMs }: ReviewClock) {
  return {
    workflowId: workflowIds.humanReview(subject),
    taskQueue: taskQueues.workflows,
    args: [{ subject, slaMs }] as Parameters<typeof humanReview>,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    staticSummary: `review of ${specId}, tenant ${tenant}`,
    typedSearchAttributes: [
      { key: searchAttributes.spec, value: specId },
      { key: searchAttributes.tenant, value: tenant },
    ],
  };
}
