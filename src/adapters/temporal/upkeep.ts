import type { Client } from '@temporalio/client';
import type { humanReview } from '../../../workflows/human-review.js';
import { workflowIds } from '../../domain/workflow-id.js';
import type { UpkeepEngine } from '../../ports/engine.js';
import type { Guard } from './guard.js';
import { reviewStartOptions } from './reviews.js';
import { describe, standingOfRun } from './start-extraction.js';

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
  };
}
