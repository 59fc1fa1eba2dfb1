import { workerLanes } from '../adapters/temporal/worker-lanes.js';
import { type Config, ConfigError, readConfig } from '../config.js';
import type { Spec } from '../spec/spec.js';
import { hoursOf } from './lambda-hours.js';
import { loadCatalogue } from './parts.js';
import { runWorker } from './worker.js';

/** What AWS Lambda says of an invocation. */
interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/** From the start of the process until its workers poll; more is said aloud. */
const coldStartBudgetMs = 5_000;
/** Estimates are clamped to at most twice what a spec declares. */
const estimateClamp = 2;

let config: Config | undefined;
let invocations = 0;

/**
 * Handler of a Temporal serverless worker: all lanes for as long as there is work, at most for one invocation. The server
 * invokes it when work waits and nobody polls; the event says nothing.
 */
export async function handler(
  _event: unknown,
  context: LambdaContext,
): Promise<{ readonly servedMs: number }> {
  const startedAt = Date.now();
  const endsAt = startedAt + context.getRemainingTimeInMillis();
  config ??= readConfig(process.env, undefined, process.cwd());
  if (config.deployment === null) {
    throw new ConfigError(
      'A serverless worker is invoked for one version: set TEMPORAL_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID.',
    );
  }
  const catalogue = await loadCatalogue(config);
  const hours = hoursOf({ endsAt, longestAttemptMs: longestAttemptMs(catalogue.list()), now: Date.now });
  const say = (line: string) => process.stdout.write(`${line}\n`);
  invocations += 1;
  const isCold = invocations === 1;
  await runWorker(config, workerLanes, say, {
    ...hours,
    begun: (leave, inFlight) => {
      say(startOf(isCold, startedAt));
      return hours.begun(leave, inFlight);
    },
  });
  const servedMs = Date.now() - startedAt;
  say(`worker gone after ${servedMs} ms`);
  return { servedMs };
}

function longestAttemptMs(specs: readonly Spec[]): number {
  return Math.max(...specs.map(({ policy }) => Math.max(...policy.estimateMs) * estimateClamp));
}

function startOf(isCold: boolean, startedAt: number): string {
  if (!isCold) return `warm start: ${Date.now() - startedAt} ms`;
  const ms = Math.round(process.uptime() * 1_000);
  const over = ms > coldStartBudgetMs ? `, over the budget of ${coldStartBudgetMs}` : '';
  return `cold start: ${ms} ms${over}`;
}
