import { GracefulShutdownPeriodExpiredError, type NativeConnection, Worker } from '@temporalio/worker';
import type { LaneActivities, StoreActivities, UpkeepActivities } from '../../../activities/contract.js';
import { taskQueues } from '../../domain/task-queue.js';
import { EngineUnavailable } from '../../ports/engine.js';
import type { Tracing } from '../../ports/tracing.js';
import { connectWorker, type TemporalServer } from './connection.js';
import { converterWith } from './data-converter.js';
import { installRuntime } from './runtime.js';
import { runsTraced } from './trace-interceptors.js';
import type { WorkerLane } from './worker-lanes.js';
import { workflowBundle } from './workflow-bundle.js';

export interface WorkerOptions extends TemporalServer {
  readonly lanes: readonly WorkerLane[];
  /** Concurrent activities of each lane, and cached workflows of the workflow worker. */
  readonly slots: Readonly<Record<WorkerLane, number>>;
  readonly laneActivities: LaneActivities;
  readonly storeActivities: StoreActivities;
  /** Hosted in the store lane as well. */
  readonly upkeepActivities: UpkeepActivities;
  /**
   * Which version of which deployment this worker is. It then gets work only once the server was told that this version is
   * current, and each workflow type says whether its runs stay on it. Without it the worker takes whatever comes.
   */
  readonly deployment?: { readonly name: string; readonly buildId: string } | null;
  /** How long running activities may go on after a stop was ordered; longer than the slowest usual call. */
  readonly shutdownGraceMs: number;
  /** How long after a stop the process gives up on an activity that never returns; 30 s after the grace unless told. */
  readonly shutdownForceMs?: number;
  /** Continues traces; none unless given. */
  readonly tracing?: Tracing;
  /** host:port on which the SDK serves its own metrics; it has none unless given. */
  readonly sdkMetricsAddress?: string;
}

export interface Workers {
  /** Resolves when all of them have stopped; rejects when one fails. */
  run(): Promise<void>;
  stop(): void;
  /** Activities and pieces of workflow code that run right now. */
  inFlight(): number;
}

const forceAfterGraceMs = 30_000;

/**
 * One Temporal worker per lane on one connection. Lanes are activity-only, so that each keeps its own slots and costs
 * no workflow thread; only the workflow worker carries a bundle.
 */
export async function createWorkers(options: WorkerOptions): Promise<Workers> {
  installRuntime(options.sdkMetricsAddress);
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
        throw error instanceof GracefulShutdownPeriodExpiredError ? leftBehind() : error;
      } finally {
        await connection.close();
      }
    },
    inFlight: () =>
      workers.reduce((sum, worker) => {
        const { numInFlightActivities, numInFlightWorkflowActivations } = worker.getStatus();
        return sum + numInFlightActivities + numInFlightWorkflowActivations;
      }, 0),
    stop: () => {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    },
  };
}

/** Nothing is lost by it: the server gives to other workers what it hears no more of. */
function leftBehind(): EngineUnavailable {
  return new EngineUnavailable(
    'The worker left while work was still under way, since its time to stop was over; another worker takes it up.',
  );
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
    ...versioned(options),
    shutdownGraceTime: options.shutdownGraceMs,
    shutdownForceTime: options.shutdownForceMs ?? options.shutdownGraceMs + forceAfterGraceMs,
    ...(options.tracing === undefined ? {} : { interceptors: { activity: [runsTraced(options.tracing)] } }),
  };
  if (lane === 'workflows') {
    const { takePermit } = options.storeActivities;
    return await Worker.create({
      ...common,
      workflowBundle: await workflowBundle(),
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

/** Every workflow type names its own behaviour; a new one that forgot to would stay where it began. */
function versioned({ deployment }: WorkerOptions) {
  if (deployment == null) return {};
  const version = { deploymentName: deployment.name, buildId: deployment.buildId };
  return {
    workerDeploymentOptions: {
      useWorkerVersioning: true as const,
      version,
      defaultVersioningBehavior: 'PINNED' as const,
    },
  };
}
