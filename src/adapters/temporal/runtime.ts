import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { taskQueues } from '../../domain/task-queue.js';

/** Lanes are activity-only on purpose, so the SDK's warning that they have no workflows warns of nothing. */
const onPurpose = 'No workflows registered';

/** What of an entry says where it happened. The rest is stacks and tokens, which help nobody who reads a log. */
const telling = ['taskQueue', 'workflowId', 'workflowType', 'activityType', 'attempt', 'cause'] as const;

/** One line an entry. An error is its own words: those of this program's failures are fixed sentences. */
export const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
  if (message.startsWith(onPurpose)) return;
  const facts = telling.flatMap((name) =>
    meta?.[name] === undefined ? [] : [`${name}=${JSON.stringify(meta[name])}`],
  );
  const error: unknown = meta?.['error'];
  if (error instanceof ApplicationFailure) facts.push(`error=${error.type}: ${error.message}`);
  else if (error instanceof Error) {
    // No document text is ever in a workflow, so there an error may be quoted.
    const isWorkflow = meta?.['taskQueue'] === taskQueues.workflows;
    facts.push(`error=${isWorkflow ? error.message.split('\n', 1)[0] : error.name}`);
  }
  process.stderr.write(`${new Date().toISOString()} ${level} ${[message, ...facts].join(' ')}\n`);
});

let isRuntimeInstalled = false;

/** Once per process and before any worker. Signals are the caller's business, so the SDK leaves them alone. */
export function installRuntime(): void {
  if (isRuntimeInstalled) return;
  Runtime.install({ logger, shutdownSignals: [] });
  isRuntimeInstalled = true;
}
