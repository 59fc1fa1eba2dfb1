import { setWorkflowOptions } from '@temporalio/workflow';
import type { RunRef } from '../src/domain/extraction-input.js';
import { storeActivities } from './activity-proxies.js';
import { workflowOptions } from './options.js';

// Its parent waits for it and is pinned.
setWorkflowOptions(workflowOptions('PINNED'), fallback);

/** Runs the spec's templates over the document; true when one found at least one field. */
export async function fallback(ref: RunRef): Promise<boolean> {
  return await storeActivities.extractFallback(ref);
}
