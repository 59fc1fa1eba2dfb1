import { ApplicationFailure } from '@temporalio/common';
import {
  bundleWorkflowCode,
  DefaultLogger,
  type NativeConnection,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import type { LaneActivities, StoreActivities, UpkeepActivities } from '../../../activities/contract.js';
import { taskQueues } from '../../domain/task-queue.js';
import { connectWorker, type TemporalServer } from './connection.js';
import { converterWith, dataConverter } from './data-converter.js';
import { moduleFile } from './module-file.js';

export const workerLanes = ['workflows', 'first', 'repair', 'store'] as const;
export type WorkerLane = (typeof workerLanes)[number];

export interface WorkerOptions extends TemporalServer {
  readonly lanes: readonly WorkerLane[];
  /** Concurrent activities of each lane, and cached workflows of the workflow worker. */
  readonly slots: Readonly<Record<WorkerLane, number>>;
  readonly laneActivities: LaneActivities;
  readonly storeActivities: StoreActivities;
  /** Hosted in the store lane as well. */
  readonly upkeepActivities: UpkeepActivities;
  /** How long running activities may go on after a stop was ordered; longer than the slowest usual call. */
  readonly shutdownGraceMs: number;
}

export interface Workers {
  /** Resolves when all of them have stopped; rejects when one fails. */
  run(): Promise<void>;
  stop(): void;
}

/** Lanes are activity-only on purpose, so the SDK's warning that they have no workflows warns of nothing. */
const onPurpose = 'No workflows registered';

/** What of an entry says where it happened. The rest is stacks and tokens, which help nobody who reads a log. */
const telling = ['taskQueue', 'workflowId', 'workflowType', 'activityType', 'attempt', 'cause'] as const;

/** One line an entry. An error is its own words: those of this program's failures are fixed sentences. */
const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
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
function installRuntime(): void {
  if (isRuntimeInstalled) return;
  Runtime.install({ logger, shutdownSignals: [] });
  isRuntimeInstalled = true;
}

/** After this much more than the grace time the process gives up on an activity that never returns. */
const forceAfterGraceMs = 30_000;

/**
 * One Temporal worker per lane on one connection. Lanes are activity-only, so that each keeps its own slots and costs
 * no workflow thread; only the workflow worker carries a bundle.
 */
export async function createWorkers(options: WorkerOptions): Promise<Workers> {
  installRuntime();
  const connection = await connectWorker(options);
  const workers = await Promise.all(options.lanes.map((lane) => createWorker(options, connection, lane)));
  let running: Promise<unknown> | null = null;
  return {
    run: async () => {
      running = Promise.all(workers.map((worker) => worker.run()));
      try {
        await running;
      } catch (error) {
        for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
        throw error;
      } finally {
        await connection.close();
      }
    },
    stop: () => {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    },
  };
}

async function createWorker(
  options: WorkerOptions,
  connection: NativeConnection,
  lane: WorkerLane,
): Promise<Worker> {
  const common = {
    connection,
    namespace: options.namespace,
    taskQueue: taskQueues[lane],
    dataConverter: converterWith(options.codecKeys),
    shutdownGraceTime: options.shutdownGraceMs,
    shutdownForceTime: options.shutdownGraceMs + forceAfterGraceMs,
  };
  if (lane === 'workflows') {
    const { takePermit } = options.storeActivities;
    return await Worker.create({
      ...common,
      workflowBundle: await bundleWorkflows(),
      activities: { takePermit },
      enableNonLocalActivities: false,
      maxCachedWorkflows: options.slots.workflows,
    });
  }
  return await Worker.create({
    ...common,
    activities:
      lane === 'store'
        ? { ...options.storeActivities, ...options.upkeepActivities }
        : { ...options.laneActivities },
    maxConcurrentActivityTaskExecutions: options.slots[lane],
  });
}

/** Bundles the workflows with the converter they run under. */
export async function bundleWorkflows(): Promise<WorkflowBundleWithSourceMap> {
  return await bundleWorkflowCode({
    logger,
    workflowsPath: moduleFile('../../../workflows/index'),
    ...(dataConverter.failureConverterPath === undefined
      ? {}
      : { failureConverterPath: dataConverter.failureConverterPath }),
  });
}
