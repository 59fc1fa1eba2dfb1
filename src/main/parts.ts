import bundled from '../../specs/index.js';
import { createTracing } from '../adapters/opentelemetry/tracing.js';
import { createPostgresStore } from '../adapters/postgres/store.js';
import { createS3Storage } from '../adapters/s3/object-storage.js';
import { createHistoryCodec } from '../adapters/temporal/codec.js';
import type { TemporalServer } from '../adapters/temporal/connection.js';
import { createTemporalEngine } from '../adapters/temporal/engine.js';
import { type Config, ConfigError } from '../config.js';
import type { Engine } from '../ports/engine.js';
import type { HistoryCodec } from '../ports/payload-codec.js';
import type { Store } from '../ports/store.js';
import { type Catalogue, createCatalogue, labelOf, type SpecLabel } from '../spec/catalogue.js';
import { loadSpecs } from '../spec/load-spec.js';
import type { Spec } from '../spec/spec.js';

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
  const objects = config.documents === null ? null : createS3Storage(config.documents);
  return createPostgresStore({ databaseUrl: databaseUrlOf(config), objects });
}

/** @throws ConfigError when no Temporal server is configured. */
export function temporalServerOf(config: Config): TemporalServer {
  const { address, namespace, access, codecKeys } = config.temporal;
  if (address === null) {
    throw new ConfigError(
      'No Temporal server is configured: set TEMPORAL_ADDRESS, or run `endstop up`, which starts one.',
    );
  }
  return { address, namespace, access, codecKeys };
}

/** What histories are encrypted with; null when no key is configured. */
export function historyCodecOf({ temporal }: Config): HistoryCodec | null {
  const [current, ...older] = temporal.codecKeys;
  return current === undefined ? null : createHistoryCodec([current, ...older]);
}

export async function openEngine(config: Config): Promise<Engine> {
  const tracing = createTracing();
  return await createTemporalEngine({ ...temporalServerOf(config), uiUrl: config.temporal.uiUrl, tracing });
}

/**
 * The bundled specs, or those of ENDSTOP_SPECS. Files of `first` come in front, so that theirs are the current ones; a
 * version that is also configured counts once.
 */
export async function loadCatalogue(config: Config, first: readonly string[] = []): Promise<Catalogue> {
  const named = (await Promise.all(first.map(loadSpecs))).flat();
  const configured =
    config.specFiles.length === 0 ? bundled : (await Promise.all(config.specFiles.map(loadSpecs))).flat();
  const isNamed = (spec: Spec) => named.some((other) => sameLabel(labelOf(spec), labelOf(other)));
  return createCatalogue([...named, ...configured.filter((spec) => !isNamed(spec))]);
}

function sameLabel(one: SpecLabel, other: SpecLabel): boolean {
  return (
    one.id === other.id &&
    one.schemaVersion === other.schemaVersion &&
    one.promptVersion === other.promptVersion
  );
}
