import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
} from '@temporalio/workflow';
import { storeActivities } from './activity-proxies.js';
import { decideUpdate, type ReviewDecision, supersededSignal } from './messages.js';
import { workflowOptions } from './options.js';

export interface ReviewInput {
  readonly subject: string;
  readonly slaMs: number;
}

export interface ReviewResult {
  readonly ended: 'decided' | 'withdrawn';
  readonly verb: ReviewDecision['verb'] | null;
}

// A person may take weeks, and no old version is kept running for that: changes go behind `patched()`.
setWorkflowOptions(workflowOptions('AUTO_UPGRADE'), humanReview);

/**
 * Waits for a person, however long. The SLA passing is an event (escalation), not an end. The decision is an update,
 * so that whoever decides learns at once whether it was carried out.
 */
export async function humanReview({ subject, slaMs }: ReviewInput): Promise<ReviewResult> {
  let result: ReviewResult | null = null;
  let deciding = false;

  setHandler(
    decideUpdate,
    async ({ eventId, verb }) => {
      deciding = true;
      try {
        const applied = await storeActivities.applyReview({ subject, eventId });
        if (applied === 'changed')
          throw ApplicationFailure.nonRetryable('this review asks something else by now', 'review_changed');
        // The store has settled it another way: nobody will ever be able to decide it here.
        if (applied === 'not_open') result ??= { ended: 'withdrawn', verb: null };
        if (applied === 'not_open' || applied === false)
          throw ApplicationFailure.nonRetryable('this review is not open any more', 'review_closed');
        result = { ended: 'decided', verb };
      } finally {
        deciding = false;
      }
    },
    {
      validator: (_decision: ReviewDecision): void => {
        if (result !== null)
          throw ApplicationFailure.nonRetryable('this review is already decided', 'review_closed');
        if (deciding)
          throw ApplicationFailure.nonRetryable('another decision is being carried out', 'review_busy');
      },
    },
  );
  setHandler(supersededSignal, () => {
    result ??= { ended: 'withdrawn', verb: null };
  });

  setCurrentDetails('Waiting for a person.');
  if (!(await condition(() => result !== null, slaMs))) {
    await storeActivities.escalateReview(subject);
    setCurrentDetails('Waiting for a person; past its SLA.');
    await condition(() => result !== null);
  }
  await condition(allHandlersFinished);
  if (result === null) throw new Error('a review ended without a result');
  return result;
}
