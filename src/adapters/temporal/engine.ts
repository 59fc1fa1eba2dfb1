import { Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import type { extraction } from '../../../workflows/extraction.js';
import { cancelSignal } from '../../../workflows/messages.js';
import { workflowIds } from '../../domain/workflow-id.js';
import type { Engine, EngineRun } from '../../ports/engine.js';
import type { Tracing } from '../../ports/tracing.js';
import { batchEngine } from './batches.js';
import { connect, type TemporalServer } from './connection.js';
import { converterWith } from './data-converter.js';
import { createGuard, isDeadlineExceeded } from './guard.js';
import { redriveEngine } from './redrives.js';
import { decideReview, withdrawReview } from './reviews.js';
import { startExtraction } from './start-extraction.js';
import { startsTraced } from './trace-interceptors.js';
import { upkeepEngine } from './upkeep.js';
import { engineViews } from './views.js';
import { workflowLink, workflowsUrl } from './workflow-link.js';

export interface TemporalOptions extends TemporalServer {
  /** Base URL of the Temporal UI, for links; null when there is none. */
  readonly uiUrl: string | null;
  /** Sends traces along; none unless given. */
  readonly tracing?: Tracing;
}

/** A start takes a few milliseconds; a server that needs longer has more than it can carry. */
const startMs = 15_000;

/**
 * Connects to a Temporal server.
 * @throws EngineUnavailable when it does not answer.
 */
export async function createTemporalEngine(options: TemporalOptions): Promise<Engine> {
  const { address, namespace } = options;
  const connection = await connect(options);
  const client = new Client({
    connection,
    namespace,
    dataConverter: converterWith(options.codecKeys),
    ...(options.tracing === undefined ? {} : { interceptors: { workflow: [startsTraced(options.tracing)] } }),
  });
  const guard = createGuard(address);
  const ui = workflowsUrl(options);
  const link = (workflowId: string) => workflowLink(options, workflowId);

  return {
    ...redriveEngine(client, guard),
    ...batchEngine(client, guard),
    ...upkeepEngine(client, guard),
    start: (input) =>
      guard(() => connection.withDeadline(Date.now() + startMs, () => startExtraction(client, input))),
    result: (key, timeoutMs, signal = new AbortController().signal) =>
      guard(async () => {
        const handle = client.workflow.getHandle<typeof extraction>(workflowIds.extraction(key));
        try {
          // A signal of its own: the SDK leaves a listener of every call on the one it is given.
          return await connection.withAbortSignal(AbortSignal.any([signal]), () =>
            connection.withDeadline(Date.now() + timeoutMs, () => handle.result()),
          );
        } catch (error) {
          if (signal.aborted) return null;
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
