import { createLaneActivities, createStoreActivities } from '../../activities/index.js';
import { createDocumentReader } from '../adapters/pdf/reader.js';
import { createWorkers, type WorkerLane } from '../adapters/temporal/worker.js';
import { assertHonestLabels } from '../application/spec-labels.js';
import type { Config } from '../config.js';
import { checkModels, createExtractor } from './model.js';
import { loadCatalogue, openStore, temporalAddressOf } from './parts.js';
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
  try {
    await store.ping();
    await assertHonestLabels(store, catalogue.list());
    const deps = {
      store,
      reader,
      extractor: createExtractor(config),
      catalogue,
      now: Date.now,
      random: Math.random,
    };
    const workers = await createWorkers({
      address: temporalAddressOf(config),
      namespace: config.temporal.namespace,
      lanes,
      slots: { workflows: cachedWorkflows, ...config.slots },
      laneActivities: createLaneActivities(deps),
      storeActivities: createStoreActivities(deps),
      shutdownGraceMs,
    });
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
    await reader.close();
    await store.close();
  }
}
