import type { LaneActivities } from '../../activities/contract.js';
import type { ActivityDependencies } from '../../activities/dependencies.js';
import {
  createLaneActivities,
  createStoreActivities,
  createUpkeepActivities,
} from '../../activities/index.js';
import { createAnthropicExtractor } from '../../src/adapters/anthropic/extractor.js';
import { createWorkers, type WorkerOptions } from '../../src/adapters/temporal/worker.js';
import type { WorkerLane } from '../../src/adapters/temporal/worker-lanes.js';
import { createUpkeep } from '../../src/application/upkeep.js';
import { noBreaker } from '../support/house.js';
import { relayKey } from '../support/model-relay.js';
import type { Scene } from './scene.js';

/** The activities as a worker of the house would run them. */
export function laneActivities(scene: Scene, breaker = noBreaker): LaneActivities {
  return createLaneActivities({ ...dependencies(scene), breaker });
}

function dependencies({ house, models }: Scene): ActivityDependencies {
  const { store, reader, catalogue } = house.app;
  const extractor = createAnthropicExtractor({
    provider: 'stand-in',
    apiKey: relayKey,
    baseUrl: models.url,
  });
  return { store, reader, catalogue, extractor, breaker: noBreaker, now: Date.now, random: Math.random };
}

/** Starts workers for lanes that a scene's house was opened without; with other activities, if told. Returns their end. */
export async function startLanes(
  scene: Scene,
  lanes: readonly WorkerLane[],
  activities = laneActivities(scene),
  deployment: WorkerOptions['deployment'] = null,
): Promise<() => Promise<void>> {
  const workers = await createWorkers({
    address: scene.house.temporal.address,
    namespace: 'default',
    lanes,
    slots: { workflows: 10, first: 4, repair: 4, store: 4 },
    laneActivities: activities,
    storeActivities: createStoreActivities(dependencies(scene)),
    upkeepActivities: createUpkeepActivities(
      createUpkeep(
        async () => scene.house.app,
        () => undefined,
      ),
    ),
    shutdownGraceMs: 1_000,
    deployment,
  });
  const running = workers.run();
  return async () => {
    workers.stop();
    await running;
  };
}
