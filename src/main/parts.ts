import bundled from '../../specs/index.js';
import { createPostgresStore } from '../adapters/postgres/store.js';
import { createTemporalEngine } from '../adapters/temporal/engine.js';
import { type Config, ConfigError } from '../config.js';
import type { Engine } from '../ports/engine.js';
import type { Store } from '../ports/store.js';
import { type Catalogue, createCatalogue } from '../spec/catalogue.js';
import { loadSpecs } from '../spec/load-spec.js';

/** @throws ConfigError when no database is configured. */
export function databaseUrlOf(config: Config): string {
  if (config.databaseUrl === null) {
    throw new ConfigError(
      'No database is configured: set DATABASE_URL, or run `endstop up`, which starts one.',
    );
  }
  return config.databaseUrl;
}

export function openStore(config: Config): Store {
  return createPostgresStore({ databaseUrl: databaseUrlOf(config) });
}

/** @throws ConfigError when no Temporal server is configured. */
export function temporalAddressOf(config: Config): string {
  if (config.temporal.address === null) {
    throw new ConfigError(
      'No Temporal server is configured: set TEMPORAL_ADDRESS, or run `endstop up`, which starts one.',
    );
  }
  return config.temporal.address;
}

export async function openEngine(config: Config): Promise<Engine> {
  const { namespace, uiUrl } = config.temporal;
  return await createTemporalEngine({ address: temporalAddressOf(config), namespace, uiUrl });
}

/** The bundled specs, or those of ENDSTOP_SPECS; `extra` files come on top. */
export async function loadCatalogue(config: Config, extra: readonly string[] = []): Promise<Catalogue> {
  const own = config.specFiles.length === 0 ? [bundled] : await Promise.all(config.specFiles.map(loadSpecs));
  return createCatalogue([...own, ...(await Promise.all(extra.map(loadSpecs)))].flat());
}
