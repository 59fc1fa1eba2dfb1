import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { batch } from '../../../workflows/batch.js';
import { cancelBatchSignal, lowerCapSignal } from '../../../workflows/messages.js';
import { searchAttributes } from '../../../workflows/search-attributes.js';
import type { BatchOrder } from '../../domain/batch.js';
import { taskQueues } from '../../domain/task-queue.js';
import { workflowIds } from '../../domain/workflow-id.js';
import type { BatchEngine } from '../../ports/engine.js';
import type { Guard } from './guard.js';
import { describe } from './start-extraction.js';

export function batchEngine(client: Client, guard: Guard): BatchEngine {
  return {
    startBatch: (order) =>
      guard(async () => {
        try {
          await client.workflow.start<typeof batch>('batch', startOptions(order));
          return 'started';
        } catch (error) {
          if (error instanceof WorkflowExecutionAlreadyStartedError) return 'running';
          throw error;
        }
      }),
    standingOfBatch: (id) =>
      guard(async () => {
        const described = await describe(client, workflowIds.batch(id));
        if (described === null) return 'missing';
        return described.status.name === 'RUNNING' ? 'running' : 'ended';
      }),
    cancelBatch: (id, cancel) =>
      guard(() =>
        unlessGone(() => client.workflow.getHandle(workflowIds.batch(id)).signal(cancelBatchSignal, cancel)),
      ),
    lowerCap: (key, cap) =>
      guard(() =>
        unlessGone(() => client.workflow.getHandle(workflowIds.extraction(key)).signal(lowerCapSignal, cap)),
      ),
  };
}

async function unlessGone(tell: () => Promise<void>): Promise<boolean> {
  try {
    await tell();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function startOptions(order: BatchOrder) {
  const { id, documents, budgetTokens } = order;
  const budget = budgetTokens === null ? '' : `, ${budgetTokens} tokens`;
  return {
    workflowId: workflowIds.batch(id),
    taskQueue: taskQueues.workflows,
    args: [{ kind: 'order', order }] as Parameters<typeof batch>,
    workflowIdConflictPolicy: 'FAIL' as const,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    staticSummary: `batch ${id} of ${documents} documents${budget}`,
    typedSearchAttributes: [
      { key: searchAttributes.batch, value: workflowIds.batch(id) },
      { key: searchAttributes.tenant, value: order.tenant },
      { key: searchAttributes.spec, value: order.specId },
    ],
  };
}
