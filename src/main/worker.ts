import { hostname } from 'node:os';
import type { LaneActivities } from '../../activities/contract.js';
import { errorFrames } from '../../activities/error-frames.js';
import {
  createLaneActivities,
  createStoreActivities,
  createUpkeepActivities,
} from '../../activities/index.js';
import { createBreaker } from '../adapters/cockatiel/breaker.js';
import { createTracing } from '../adapters/opentelemetry/tracing.js';
import { createDocumentReader } from '../adapters/pdf/reader.js';
import { connect } from '../adapters/temporal/connection.js';
import { describeDeployment } from '../adapters/temporal/deployment.js';
import { scheduleReconciler, scheduleRetention } from '../adapters/temporal/schedule.js';
import { createWorkers } from '../adapters/temporal/worker.js';
import type { WorkerLane } from '../adapters/temporal/worker-lanes.js';
import { createBreakerReports } from '../application/breaker-reports.js';
import { assertHonestLabels } from '../application/spec-labels.js';
import { createUpkeep } from '../application/upkeep.js';
import type { Config } from '../config.js';
import { otherPort } from '../embedded/ports.js';
import { createLogger } from '../http/log.js';
import { serveMetrics } from '../http/metrics-server.js';
import type { Engine } from '../ports/engine.js';
import { checkModels, createExtractor } from './model.js';
import { loadCatalogue, openEngine, openStore, temporalServerOf } from './parts.js';
import { watchWorker } from './watch.js';
import { createWebhooks } from './webhooks.js';
import { thisMachine, type WorkerSize, workerSize } from './worker-size.js';

/** How long a worker serves, and how it leaves. */
export interface Hours {
  /** How long running activities may go on once it leaves, and when the process gives up on one that never returns. */
  readonly shutdownGraceMs: number;
  readonly shutdownForceMs?: number;
  /** Keeps the schedules, and tells what is amiss with models and versions: what a short-lived worker has no time for. */
  readonly isSteady: boolean;
  /** Around the attempts; as they are unless given. */
  readonly around?: (attempts: LaneActivities) => LaneActivities;
  /** Called once the workers poll, with what makes them leave and how much they have in hand. Returns what ends the watch. */
  begun(leave: () => void, inFlight: () => number): () => void;
}

/** Until SIGINT or SIGTERM. */
function untilStopped({ shutdownGraceMs }: Config): Hours {
  return {
    shutdownGraceMs,
    isSteady: true,
    begun: (leave) => {
      const signals = ['SIGINT', 'SIGTERM'] as const;
      for (const signal of signals) process.once(signal, leave);
      return () => {
        for (const signal of signals) process.off(signal, leave);
      };
    },
  };
}

/** Lanes whose slots attempts take. */
const laneNames = ['first', 'repair'] as const;

/** What is set, and what suits this machine for the rest. */
function sizeOf({ slots }: Config): WorkerSize {
  const size = workerSize(thisMachine());
  return {
    ...size,
    first: slots.first ?? size.first,
    repair: slots.repair ?? size.repair,
    store: slots.store ?? size.store,
  };
}

/**
 * Runs the workers of these lanes for these hours, then lets running activities finish. Whoever serves the
 * store lane also delivers webhooks. `say` is told in one line when they poll, of every model that will not do what the
 * specs ask, and of deliveries that are given up.
 */
export async function runWorker(
  config: Config,
  lanes: readonly WorkerLane[],
  say: (line: string) => void,
  hours: Hours = untilStopped(config),
): Promise<void> {
  const catalogue = await loadCatalogue(config);
  const slots = sizeOf(config);
  const store = await openStore(config);
  const reader = createDocumentReader();
  const engine = lazily(() => openEngine(config));
  const closing: (() => Promise<unknown>)[] = [];
  try {
    await store.ping();
    await assertHonestLabels(store, catalogue.list());
    const tracing = createTracing();
    const sdkMetricsAddress = config.metrics === null ? null : `127.0.0.1:${await otherPort()}`;
    const breaker = createBreaker((line) => {
      say(line);
      breakerReports.changed();
    });
    const breakerReports = createBreakerReports({
      ...{
        store,
        breaker,
        worker: `${process.pid}@${hostname()}`,
        provider: config.model.provider ?? 'unknown',
      },
      now: Date.now,
    });
    closing.push(breakerReports.stop);
    const watching = watchWorker(
      Object.fromEntries(laneNames.flatMap((lane) => (lanes.includes(lane) ? [[lane, slots[lane]]] : []))),
      createLogger(config.logLevel, process.stderr),
      sdkMetricsAddress,
      breaker,
      catalogue,
    );
    const shown = config.metrics === null ? null : await serveMetrics(watching.exposition, config.metrics);
    closing.push(async () => shown?.close());
    const watched = { observer: watching.observer, tracing };
    const deps = {
      ...watched,
      store,
      reader,
      extractor: createExtractor(config),
      breaker,
      catalogue,
      now: Date.now,
      random: Math.random,
    };
    const tellFault = (error: unknown) =>
      say(`warning: one of many could not be dealt with: ${errorFrames(error)}`);
    const workers = await createWorkers({
      ...temporalServerOf(config),
      lanes,
      slots,
      tracing,
      ...(sdkMetricsAddress === null ? {} : { sdkMetricsAddress }),
      laneActivities: (hours.around ?? ((attempts) => attempts))(createLaneActivities(deps)),
      storeActivities: createStoreActivities(deps),
      upkeepActivities: createUpkeepActivities(
        createUpkeep(
          async () => ({
            ...deps,
            engine: await engine.open(),
            reviewSlaMs: config.reviewSlaMs,
          }),
          tellFault,
          watched.observer,
        ),
      ),
      shutdownGraceMs: hours.shutdownGraceMs,
      ...(hours.shutdownForceMs === undefined ? {} : { shutdownForceMs: hours.shutdownForceMs }),
      deployment: config.deployment,
    });
    if (hours.isSteady && lanes.includes('workflows')) await schedule(config, say);
    const webhooks = lanes.includes('store') ? createWebhooks(config, store, say, watched) : null;
    const stop = () => {
      workers.stop();
      webhooks?.stop();
    };
    const tellFindings = async () => {
      if (!hours.isSteady) return;
      await tellRouting(config, say);
      const findings = await checkModels(config, catalogue.list());
      for (const { severity, message } of findings) say(`${severity}: ${message}`);
    };
    if (shown !== null) say(`metrics at ${shown.url}`);
    const sizes = lanes.map((lane) => (lane === 'workflows' ? lane : `${lane} (${slots[lane]} slots)`));
    say(`worker ready: ${sizes.join(', ')}`);
    const watch = hours.begun(stop, workers.inFlight);
    const delivering = webhooks?.run();
    try {
      await Promise.all([workers.run(), tellFindings()]);
    } finally {
      watch();
      webhooks?.stop();
      await delivering;
    }
  } finally {
    for (const close of closing) await close();
    await engine.close();
    await reader.close();
    await store.close();
  }
}

/**
 * A worker that may not make schedules works all the same, and says so: `endstop doctor --repair` and `endstop retention
 * sweep` do it by hand.
 */
async function schedule(config: Config, say: (line: string) => void): Promise<void> {
  const server = temporalServerOf(config);
  try {
    await scheduleReconciler(server);
    await scheduleRetention(server);
  } catch (error) {
    const cause = error instanceof Error ? error.name : 'unknown error';
    say(`warning: the reconciler or the retention sweep is not scheduled (${cause})`);
  }
}

/** A version that the server was not told to use gets no work and no error: said, since nothing else would say it. */
async function tellRouting({ deployment, ...config }: Config, say: (line: string) => void): Promise<void> {
  if (deployment === null) return;
  const server = temporalServerOf({ deployment, ...config });
  const connection = await connect(server);
  try {
    const routing = await describeDeployment({ connection, namespace: server.namespace }, deployment.name);
    if (routing?.current === deployment.buildId || routing?.ramping?.buildId === deployment.buildId) return;
    say(
      `warning: version ${deployment.buildId} of ${deployment.name} gets no new work yet; the current one is ` +
        `${routing?.current ?? 'none'}: endstop deployment promote ${deployment.buildId}`,
    );
  } finally {
    await connection.close();
  }
}

/** A connection to the engine, made when it is first needed; should that fail, made anew the next time. */
function lazily(open: () => Promise<Engine>) {
  let opened: Promise<Engine> | null = null;
  return {
    open: async (): Promise<Engine> => {
      opened ??= open();
      try {
        return await opened;
      } catch (error) {
        opened = null;
        throw error;
      }
    },
    close: async (): Promise<void> => {
      await opened?.then((engine) => engine.close()).catch(() => undefined);
    },
  };
}
