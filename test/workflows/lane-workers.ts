import type { LaneActivities } from '../../activities/contract.js';
import { createLaneActivities, createStoreActivities } from '../../activities/index.js';
import { createAnthropicExtractor } from '../../src/adapters/anthropic/extractor.js';
import { createWorkers, type WorkerLane } from '../../src/adapters/temporal/worker.js';
import { relayKey } from '../support/model-relay.js';
import type { Scene } from './scene.js';

/** Starts workers for lanes that a scene's house was opened without; with other activities, if told. Returns their end. */
export async function startLanes(
  { house, models }: Scene,
  lanes: readonly WorkerLane[],
  activities?: LaneActivities,
): Promise<() => Promise<void>> {
  const { store, reader, catalogue } = house.app;
  const extractor = createAnthropicExtractor({ apiKey: relayKey, baseUrl: models.url });
  const deps = { store, reader, catalogue, extractor, now: Date.now, random: Math.random };
  const workers = await createWorkers({
    address: house.temporal.address,
    namespace: 'default',
    lanes,
    slots: { workflows: 10, first: 4, repair: 4, store: 4 },
    laneActivities: activities ?? createLaneActivities(deps),
    storeActivities: createStoreActivities(deps),
    shutdownGraceMs: 1_000,
  });
  const running = workers.run();
  return async () => {
    workers.stop();
    await running;
  };
}
