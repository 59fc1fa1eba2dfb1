import { setWorkflowOptions } from '@temporalio/workflow';
import type { RunRef } from '../src/domain/extraction-input.js';
import { storeActivities } from './activity-proxies.js';

// One activity: it ends where it began.
setWorkflowOptions({ failureExceptionTypes: [Error], versioningBehavior: 'PINNED' }, bestEffort);

/** Keeps the best whole candidate with its unmet rules, outside every default read. */
export async function bestEffort(ref: RunRef): Promise<void> {
  await storeActivities.keepBestEffort(ref);
}
