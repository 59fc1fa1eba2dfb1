import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { cancelSignal, redriveProgressQuery } from '../../../workflows/messages.js';
import type { redrive } from '../../../workflows/redrive.js';
import { searchAttributes } from '../../../workflows/search-attributes.js';
import type { RedriveOrder } from '../../domain/redrive.js';
import { taskQueues } from '../../domain/task-queue.js';
import { workflowIds } from '../../domain/workflow-id.js';
import { EngineUnavailable, type RedriveEngine } from '../../ports/engine.js';
import { type Guard, statusOf } from './guard.js';
import { describe } from './start-extraction.js';

/** A worker answers within milliseconds; the server waits for one for much longer. */
const answerWithinMs = 10_000;

export function redriveEngine(client: Client, guard: Guard): RedriveEngine {
  const handleOf = (id: string) => client.workflow.getHandle<typeof redrive>(workflowIds.redrive(id));
  return {
    startRedrive: (order) =>
      guard(async () => {
        try {
          await client.workflow.start<typeof redrive>('redrive', startOptions(order));
          return 'started';
        } catch (error) {
          if (error instanceof WorkflowExecutionAlreadyStartedError) return 'running';
          throw error;
        }
      }),
    redriveReport: (id) =>
      guard(async () => {
        const described = await describe(client, workflowIds.redrive(id));
        if (described === null) return null;
        const status = described.status.name;
        if (status === 'COMPLETED') return await handleOf(id).result();
        // A closed history is replayed to answer, so this needs a worker in either case.
        const deadline = Date.now() + answerWithinMs;
        const report = await answered(id, () =>
          client.connection.withDeadline(deadline, () => handleOf(id).query(redriveProgressQuery)),
        );
        if (status !== 'RUNNING' && status !== 'CONTINUED_AS_NEW') return { ...report, state: 'stopped' };
        // At its last step: once it is said to have ended, it can be asked for again.
        return report.state === 'running' ? report : await handleOf(id).result();
      }),
    cancelRedrive: (id) =>
      guard(async () => {
        try {
          await handleOf(id).signal(cancelSignal);
          return true;
        } catch (error) {
          if (error instanceof WorkflowNotFoundError) return false;
          throw error;
        }
      }),
  };
}

function startOptions(order: RedriveOrder) {
  const { id, promptVersion, selection } = order;
  const { tenant, specId } = selection;
  return {
    workflowId: workflowIds.redrive(id),
    taskQueue: taskQueues.workflows,
    args: [{ kind: 'order', order }] as Parameters<typeof redrive>,
    workflowIdConflictPolicy: 'FAIL' as const,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    staticSummary: `redrive ${id} of ${said(selection)}${promptVersion === null ? '' : ` with ${promptVersion}`}`,
    typedSearchAttributes: [
      { key: searchAttributes.batch, value: workflowIds.redrive(id) },
      ...(tenant === undefined ? [] : [{ key: searchAttributes.tenant, value: tenant }]),
      ...(specId === undefined ? [] : [{ key: searchAttributes.spec, value: specId }]),
    ],
  };
}

function said(selection: RedriveOrder['selection']): string {
  const fields = Object.entries(selection).map(([name, value]) => `${name} ${value}`);
  return fields.length === 0 ? 'all dead letters' : `dead letters: ${fields.join(', ')}`;
}

async function answered<T>(id: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const status = statusOf(error);
    // DEADLINE_EXCEEDED, or FAILED_PRECONDITION when no worker was seen for long.
    if (status === 4 || status === 9) {
      throw new EngineUnavailable(
        `No worker answers for redrive "${id}", which goes on by itself once one runs: start one with "endstop worker".`,
      );
    }
    throw error;
  }
}
