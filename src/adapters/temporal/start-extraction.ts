import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { extraction } from '../../../workflows/extraction.js';
import { searchAttributes } from '../../../workflows/search-attributes.js';
import type { ExtractionInput } from '../../domain/extraction-input.js';
import type { RunId } from '../../domain/redrive.js';
import { taskQueues } from '../../domain/task-queue.js';
import { workflowIds } from '../../domain/workflow-id.js';
import type { WorkflowStanding } from '../../ports/engine.js';

/** How often the workflow of the run before is looked at until it is gone: 1.5 s in all. */
const looks = 5;
const firstPauseMs = 50;

/**
 * Starts the workflow of a run, unless it runs. All runs of a key share one workflow id, and the one before may still be
 * at its last step although its row is closed: then this one waits for its end, for a moment. Should that not come, the
 * open row is found by the reconciler.
 */
export async function startExtraction(client: Client, input: ExtractionInput): Promise<void> {
  for (let look = 1; ; look += 1) {
    try {
      await client.workflow.start<typeof extraction>('extraction', startOptions(input));
      return;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    if (look > looks || (await standingOfRun(client, input)) === 'running') return;
    await pause(firstPauseMs * 2 ** (look - 1));
  }
}

/** `missing` also when the newest workflow of the key belongs to another run. */
export async function standingOfRun(client: Client, { key, run }: RunId): Promise<WorkflowStanding> {
  const described = await describe(client, workflowIds.extraction(key));
  if (described === null || (described.memo?.['run'] ?? run) !== run) return 'missing';
  return described.status.name === 'RUNNING' ? 'running' : 'ended';
}

/** What the engine knows of the newest workflow of this id; null when it knows of none. */
export async function describe(client: Client, workflowId: string) {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** The store was asked first: a key that runs is refused here and attached to, and one that has ended may run again. */
function startOptions(input: ExtractionInput) {
  return {
    workflowId: workflowIds.extraction(input.key),
    taskQueue: taskQueues.workflows,
    args: [input] as [ExtractionInput],
    workflowIdConflictPolicy: 'FAIL' as const,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    // Its activities inherit this: where a server knows fairness, a tenant with many documents does not make the others wait.
    priority: { fairnessKey: input.tenant },
    // Which run it is can be asked of a closed workflow, too.
    memo: { run: input.run },
    staticSummary: `${input.specId}, tenant ${input.tenant}, document ${input.documentHash.slice(0, 12)}`,
    typedSearchAttributes: [
      { key: searchAttributes.spec, value: input.specId },
      { key: searchAttributes.tenant, value: input.tenant },
      { key: searchAttributes.prompt, value: input.promptVersion },
      { key: searchAttributes.deadline, value: new Date(Date.now() + input.policy.deadlineMs) },
      ...(input.batchId === null ? [] : [{ key: searchAttributes.batch, value: input.batchId }]),
    ],
  };
}
