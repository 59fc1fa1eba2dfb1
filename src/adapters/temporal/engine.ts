import {
  Client,
  Connection,
  isGrpcServiceError,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { extraction } from '../../../workflows/extraction.js';
import { cancelSignal } from '../../../workflows/messages.js';
import { searchAttributes } from '../../../workflows/search-attributes.js';
import type { ExtractionInput } from '../../domain/extraction-input.js';
import { taskQueues } from '../../domain/task-queue.js';
import { workflowIds } from '../../domain/workflow-id.js';
import { type Engine, type EngineRun, EngineUnavailable } from '../../ports/engine.js';
import { dataConverter } from './data-converter.js';
import { decideReview, withdrawReview } from './reviews.js';
import { engineViews } from './views.js';

export interface TemporalOptions {
  /** host:port of the frontend. */
  readonly address: string;
  readonly namespace: string;
  /** Base URL of the Temporal UI, for links; null when there is none. */
  readonly uiUrl: string | null;
}

/** gRPC status of a call that took longer than its deadline. */
const deadlineExceeded = 4;

/**
 * Connects to a Temporal server.
 * @throws EngineUnavailable when it does not answer.
 */
export async function createTemporalEngine(options: TemporalOptions): Promise<Engine> {
  const { address, namespace } = options;
  const connection = await connect(address);
  const client = new Client({ connection, namespace, dataConverter });
  const guard = <T>(run: () => Promise<T>): Promise<T> => guarded(address, run);
  const ui = workflowsUrl(options);
  const link = (workflowId: string) => workflowLink(options, workflowId);

  return {
    start: (input) =>
      guard(async () => {
        await client.workflow.start<typeof extraction>('extraction', startOptions(input));
      }),
    result: (key, timeoutMs) =>
      guard(async () => {
        const handle = client.workflow.getHandle<typeof extraction>(workflowIds.extraction(key));
        try {
          return await connection.withDeadline(Date.now() + timeoutMs, () => handle.result());
        } catch (error) {
          // Terminated or failed: the store, closed by the reconciler, says how it ended.
          if (error instanceof WorkflowFailedError) return null;
          if (isDeadlineExceeded(error)) return null;
          throw error;
        }
      }),
    cancel: (key) =>
      guard(async () => {
        try {
          await client.workflow.getHandle(workflowIds.extraction(key)).signal(cancelSignal);
          return true;
        } catch (error) {
          if (error instanceof WorkflowNotFoundError) return false;
          throw error;
        }
      }),
    decideReview: (review, eventId, verb) => guard(() => decideReview(client, review, eventId, verb)),
    withdrawReview: (subject) => guard(() => withdrawReview(client, subject)),
    views: () =>
      engineViews(Date.now(), (query) => (ui === null ? null : `${ui}?query=${encodeURIComponent(query)}`)),
    list: (query, limit) =>
      guard(async () => {
        const runs: EngineRun[] = [];
        for await (const run of client.workflow.list({ query, pageSize: Math.min(limit, 1_000) })) {
          runs.push({
            workflowId: run.workflowId,
            type: run.type,
            status: run.status.name,
            startedAt: run.startTime.getTime(),
            closedAt: run.closeTime?.getTime() ?? null,
            url: link(run.workflowId),
          });
          if (runs.length >= limit) break;
        }
        return runs;
      }),
    link,
    ping: () =>
      guard(async () => {
        await connection.withDeadline(Date.now() + 5_000, () =>
          connection.workflowService.describeNamespace({ namespace }),
        );
      }),
    close: () => connection.close(),
  };
}

/** Link to one workflow in the Temporal UI; null when no UI is known. */
export function workflowLink(
  ui: Pick<TemporalOptions, 'namespace' | 'uiUrl'>,
  workflowId: string,
): string | null {
  const base = workflowsUrl(ui);
  return base === null ? null : `${base}/${encodeURIComponent(workflowId)}`;
}

function workflowsUrl({ namespace, uiUrl }: Pick<TemporalOptions, 'namespace' | 'uiUrl'>): string | null {
  if (uiUrl === null) return null;
  return `${uiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`;
}

/** The store was asked first; here the same key attaches to its running workflow, and a closed one may run again. */
function startOptions(input: ExtractionInput) {
  return {
    workflowId: workflowIds.extraction(input.key),
    taskQueue: taskQueues.workflows,
    args: [input] as [ExtractionInput],
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
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

/** Opens a client connection, or says in one sentence that there is no server. */
export async function connect(address: string): Promise<Connection> {
  try {
    return await Connection.connect({ address, connectTimeout: '5s' });
  } catch {
    throw unavailable(address);
  }
}

async function guarded<T>(address: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isUnavailable(error)) throw unavailable(address);
    throw error;
  }
}

function unavailable(address: string): EngineUnavailable {
  return new EngineUnavailable(
    `No Temporal server answers at ${address}: start one with "endstop up", or set TEMPORAL_ADDRESS to one that runs.`,
  );
}

/** UNAVAILABLE and DEADLINE_EXCEEDED, also when the SDK wrapped them. */
function isUnavailable(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return isGrpcServiceError(cause) && (cause.code === 14 || cause.code === deadlineExceeded);
}

function isDeadlineExceeded(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return isGrpcServiceError(cause) && cause.code === deadlineExceeded;
}
