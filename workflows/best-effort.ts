import { setWorkflowOptions } from '@temporalio/workflow';
import type { RunRef } from '../src/domain/extraction-input.js';
import { storeActivities } from './activity-proxies.js';
import { workflowOptions } from './options.js';

// One activity: it ends where it began.
setWorkflowOptions(workflowOptions('PINNED'), bestEffort);

/** Keeps the best whole candidate with its unmet rules, outside every default read. */
export async function bestEffort(ref: RunRef): Promise<void> {
  await storeActivities.keepBestEffort(ref);
}
