import { relayKey } from '../support/model-relay.js';
import type { Scene } from '../workflows/scene.js';
import { type EndstopProcess, startEndstop } from './endstop-process.js';

/**
 * Starts a worker for all lanes and waits until it polls. `temporalAddress`: by another way than the scene's own;
 * `flags`: what its command line says besides.
 */
export function startWorkerProcess(
  { house, models }: Scene,
  temporalAddress = house.temporal.address,
  flags: readonly string[] = [],
): Promise<EndstopProcess> {
  const env = {
    DATABASE_URL: house.database.databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    ANTHROPIC_BASE_URL: models.url,
    ANTHROPIC_API_KEY: relayKey,
  };
  return startEndstop(['worker', ...flags], env, 'worker ready');
}
