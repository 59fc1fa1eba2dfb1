import { errorFrames } from '../../activities/error-frames.js';
import {
  createLaneActivities,
  createStoreActivities,
  createUpkeepActivities,
} from '../../activities/index.js';
import { createBreaker } from '../adapters/cockatiel/breaker.js';
import { createDocumentReader } from '../adapters/pdf/reader.js';
import { scheduleReconciler, scheduleRetention } from '../adapters/temporal/schedule.js';
import { createWorkers, type WorkerLane } from '../adapters/temporal/worker.js';
import { assertHonestLabels } from '../application/spec-labels.js';
import { createUpkeep } from '../application/upkeep.js';
import type { Config } from '../config.js';
import type { Engine } from '../ports/engine.js';
import { checkModels, createExtractor } from './model.js';
import { loadCatalogue, openEngine, openStore, temporalServerOf } from './parts.js';
import { createWebhooks } from './webhooks.js';

/** Longer than nearly every call, so that a deploy burns no attempt. */
const shutdownGraceMs = 60_000;

/** Workflows kept in memory: about 35 KB each beside the SDK's own cost. */
const cachedWorkflows = 300;

/**
 * Runs the workers of these lanes until SIGINT or SIGTERM, then lets running activities finish. Whoever serves the
 * store lane also delivers webhooks. `say` is told in one line when they poll, of every model that will not do what the
 * specs ask, and of deliveries that are given up.
 */
export async function runWorker(
  config: Config,
  lanes: readonly WorkerLane[],
  say: (line: string) => void,
): Promise<void> {
  const catalogue = await loadCatalogue(config);
  const store = openStore(config);
  const reader = createDocumentReader();
  const engine = lazily(() => openEngine(config));
  try {
    await store.ping();
    await assertHonestLabels(store, catalogue.list());
    const deps = {
      store,
      reader,
      extractor: createExtractor(config),
      breaker: createBreaker(say),
      catalogue,
      now: Date.now,
      random: Math.random,
    };
    const tellFault = (error: unknown) =>
      say(`warning: one of many could not be dealt with: ${errorFrames(error)}`);
    const workers = await createWorkers({
      ...temporalServerOf(config),
      lanes,
      slots: { workflows: cachedWorkflows, ...config.slots },
      laneActivities: createLaneActivities(deps),
      storeActivities: createStoreActivities(deps),
      upkeepActivities: createUpkeepActivities(
        createUpkeep(
          async () => ({
            ...deps,
            engine: await engine.open(),
            reviewSlaMs: config.reviewSlaMs,
          }),
          tellFault,
        ),
      ),
      shutdownGraceMs,
    });
    if (lanes.includes('workflows')) await schedule(config, say);
    const webhooks = lanes.includes('store') ? createWebhooks(config, store, say) : null;
    const stop = () => {
      workers.stop();
      webhooks?.stop();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
    const tellFindings = async () => {
      const findings = await checkModels(config, catalogue.list());
      for (const { severity, message } of findings) say(`${severity}: ${message}`);
    };
    say(`worker ready: ${lanes.join(', ')}`);
    const delivering = webhooks?.run();
    try {
      await Promise.all([workers.run(), tellFindings()]);
    } finally {
      webhooks?.stop();
      await delivering;
    }
  } finally {
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
