import type { TemporalServer } from '../adapters/temporal/connection.js';
import type { Config } from '../config.js';
import { ConfigError } from '../config-error.js';
import { whyNoStack } from '../embedded/stack-absence.js';
import type { Engine } from '../ports/engine.js';
import type { ObjectStorage } from '../ports/object-storage.js';
import type { Store } from '../ports/store.js';
import { type Catalogue, createCatalogue, labelOf, type SpecLabel } from '../spec/catalogue.js';
import { loadSpecs } from '../spec/load-spec.js';
import type { Spec } from '../spec/spec.js';

// What opens a part loads it: a command pays for those it uses.

const orStack =
  'run `endstop up`, which starts one, or set ENDSTOP_HOME to the folder of the stack that runs.';

/** @throws ConfigError when no database is configured. */
export function databaseUrlOf(config: Config): string {
  if (config.databaseUrl === null) throw notConfigured(config, 'No database', 'DATABASE_URL');
  return config.databaseUrl;
}

/** One sentence whichever part is asked for first: without a stack, all of them are missing. */
export function notConfigured(config: Config, what: string, variables: string): ConfigError {
  const { home, isHomeNamed, databaseUrl, temporal } = config;
  const why = whyNoStack(home, isHomeNamed);
  if (why !== null) return new ConfigError(why);
  return databaseUrl === null && temporal.address === null
    ? new ConfigError(`Nothing runs here: set DATABASE_URL and TEMPORAL_ADDRESS, ${orStack}`)
    : new ConfigError(`${what} is configured: set ${variables}, ${orStack}`);
}

export async function openStore(config: Config): Promise<Store> {
  const databaseUrl = databaseUrlOf(config);
  const { createPostgresStore } = await import('../adapters/postgres/store.js');
  return createPostgresStore({ databaseUrl, objects: await openObjects(config) });
}

async function openObjects({ documents }: Config): Promise<ObjectStorage | null> {
  return documents === null
    ? null
    : (await import('../adapters/s3/object-storage.js')).createS3Storage(documents);
}

/** @throws ConfigError when no Temporal server is configured. */
export function temporalServerOf(config: Config): TemporalServer {
  const { address, namespace, access, codecKeys } = config.temporal;
  if (address === null) throw notConfigured(config, 'No Temporal server', 'TEMPORAL_ADDRESS');
  return { address, namespace, access, codecKeys };
}

export async function openEngine(config: Config): Promise<Engine> {
  const server = temporalServerOf(config);
  const { createTracing } = await import('../adapters/opentelemetry/tracing.js');
  const { createTemporalEngine } = await import('../adapters/temporal/engine.js');
  return await createTemporalEngine({ ...server, uiUrl: config.temporal.uiUrl, tracing: createTracing() });
}

/**
 * The bundled specs, or those of ENDSTOP_SPECS. Files of `first` come in front, so that theirs are the current ones; a
 * version that is also configured counts once.
 */
export async function loadCatalogue(config: Config, first: readonly string[] = []): Promise<Catalogue> {
  const named = (await Promise.all(first.map(loadSpecs))).flat();
  const configured =
    config.specFiles.length === 0
      ? (await import('../../specs/index.js')).default
      : (await Promise.all(config.specFiles.map(loadSpecs))).flat();
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
