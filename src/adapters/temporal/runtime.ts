import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, type LogMetadata, Runtime } from '@temporalio/worker';
import { taskQueues } from '../../domain/task-queue.js';

/** Lanes are activity-only on purpose, so the SDK's warning that they have no workflows warns of nothing. */
const onPurpose = 'No workflows registered';

/** What of an entry says where it happened. The rest is stacks and tokens, which help nobody who reads a log. */
const telling = ['taskQueue', 'workflowId', 'workflowType', 'activityType', 'attempt', 'cause'] as const;

/** One JSON line an entry. An error is its own words: those of this program's failures are fixed sentences. */
export const logger = new DefaultLogger('WARN', ({ level, message, meta, timestampNanos }) => {
  if (message.startsWith(onPurpose)) return;
  const facts = Object.fromEntries(telling.map((name) => [name, meta?.[name]]));
  const extractionId = /^extraction\/(\w+)$/.exec(String(meta?.['workflowId']))?.[1];
  const time = new Date(Number(timestampNanos / 1_000_000n)).toISOString();
  const line = { level: level.toLowerCase(), time, extractionId, ...facts };
  process.stderr.write(`${JSON.stringify({ ...line, error: wordsOf(meta), msg: message })}\n`);
});

function wordsOf(meta: LogMetadata | undefined): string | undefined {
  const error: unknown = meta?.['error'];
  // Of what Core met on the wire the gRPC code: a server's sentence may quote what it was sent.
  if (typeof error === 'string') return /^Status \{ code: (\w+)/.exec(error)?.[1];
  if (error instanceof ApplicationFailure) return `${error.type}: ${error.message}`;
  if (!(error instanceof Error)) return undefined;
  // No document text is ever in a workflow, so there an error may be quoted.
  const isWorkflow = meta?.['taskQueue'] === taskQueues.workflows;
  return isWorkflow ? error.message.split('\n', 1)[0] : error.name;
}

let isRuntimeInstalled = false;

/** What the native half of the SDK writes otherwise goes to the terminal by itself, in colours. */
const logging = { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } as const;

/**
 * Once per process and before any worker. Signals are the caller's business, so the SDK leaves them alone. It serves its
 * own metrics at `metricsAddress` (host:port), or nowhere.
 */
export function installRuntime(metricsAddress?: string): void {
  if (isRuntimeInstalled) return;
  const prometheus = { bindAddress: metricsAddress ?? '', countersTotalSuffix: true, unitSuffix: true };
  const metrics = metricsAddress === undefined ? {} : { metrics: { prometheus } };
  Runtime.install({ logger, shutdownSignals: [], telemetryOptions: { logging, ...metrics } });
  isRuntimeInstalled = true;
}
