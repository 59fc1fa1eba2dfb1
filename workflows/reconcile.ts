import { patched, proxyActivities, setWorkflowOptions } from '@temporalio/workflow';
import type { UpkeepActivities } from '../activities/contract.js';
import {
  addMended,
  type Mended,
  nothingMended,
  type Reconciled,
  reconcileParts,
} from '../src/domain/reconciliation.js';
import { taskQueues } from '../src/domain/task-queue.js';
import { heartbeatTimeout } from './activity-proxies.js';
import { workflowOptions } from './options.js';

/** A page asks the engine about a hundred workflows. What is not reached now is reached by the next run. */
const mostPages = 100;

const upkeep = proxyActivities<UpkeepActivities>({
  taskQueue: taskQueues.store,
  allowEagerDispatch: false,
  startToCloseTimeout: '60s',
  scheduleToCloseTimeout: '5m',
  heartbeatTimeout,
  cancellationType: 'TRY_CANCEL',
  retry: { maximumAttempts: 20, initialInterval: '1s', maximumInterval: '30s' },
});

// Half an hour at most: it ends where it began.
setWorkflowOptions(workflowOptions('PINNED'), reconcile);

/** Puts right what the store holds open and no workflow carries. Run by a schedule, so that it has no end to wait for. */
export async function reconcile(): Promise<Mended> {
  let mended = nothingMended;
  for (const part of reconcileParts) {
    // Histories of before end without this part.
    if (part === 'batches' && !patched('batches')) continue;
    let cursor: string | null = null;
    for (let pages = 0; pages < mostPages; pages += 1) {
      const page: Reconciled = await upkeep.reconcile({ part, cursor });
      mended = addMended(mended, page.mended);
      cursor = page.cursor;
      if (cursor === null) break;
    }
  }
  return mended;
}
