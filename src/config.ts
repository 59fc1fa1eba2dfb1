import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { readCodecKeys } from './codec-keys.js';
import { ConfigError, type Environment } from './config-error.js';
import { pathsOf, readableNames, readVariables } from './config-variables.js';
import { nearestWord } from './domain/nearest-word.js';
import { readSecretFiles, secretFileNames } from './secret-files.js';
import { readTemporalSettings, type TemporalAccess, temporalAccessNames } from './temporal-settings.js';

export { ConfigError };

/** Where a stack that `endstop up` runs on this machine can be reached; its stack file says so. */
export interface StackAddresses {
  readonly databaseUrl: string;
  /** host:port of the Temporal frontend. */
  readonly temporalAddress: string;
  readonly namespace: string;
  /** By name. Read here: `temporalUi`, and `standin`, which is missing when the stack was started with a real model. */
  readonly urls: Readonly<Record<string, string>>;
  /** The server that its workers call; missing: the stand-in, or a stack of an earlier version. */
  readonly model?: { readonly provider: string; readonly url: string };
}

/** The environment, parsed once. Null means "not configured": who needs it says so when it is needed. */
export interface Config {
  readonly databaseUrl: string | null;
  readonly temporal: {
    readonly address: string | null;
    readonly namespace: string;
    readonly uiUrl: string | null;
    /** How the server is entered; null when its address is enough. */
    readonly access: TemporalAccess | null;
    /** Keys that encrypt what histories say, the current one first; empty: they are in the clear. */
    readonly codecKeys: readonly { readonly id: string; readonly secret: Uint8Array }[];
  };
  /** The version of this worker in a worker deployment; null: workers are not versioned. */
  readonly deployment: { readonly name: string; readonly buildId: string } | null;
  /** `provider` is stored with every call: `anthropic`, `stand-in`, or the host of ANTHROPIC_BASE_URL. */
  readonly model: {
    readonly provider: string | null;
    readonly baseUrl: string | null;
    readonly apiKey: string | null;
  };
  /** Where the bytes of documents go; null: into the database. */
  readonly documents: { readonly bucket: string; readonly prefix: string } | null;
  /** Absolute path of the folder that holds everything a local stack keeps. */
  readonly home: string;
  /** Somebody named that folder (ENDSTOP_HOME), and so expects it to be there. */
  readonly isHomeNamed: boolean;
  readonly api: {
    readonly host: string;
    readonly port: number;
    readonly key: string | null;
    /** Requests that one key may send in a minute; 0: as many as it likes. */
    readonly perMinute: number;
  };
  /** Absolute paths of spec files; empty means the bundled specs. */
  readonly specFiles: readonly string[];
  readonly tenant: string;
  /** Concurrent activities per worker process in each lane; null: what suits its machine. */
  readonly slots: {
    readonly first: number | null;
    readonly repair: number | null;
    readonly store: number | null;
  };
  /** How long a worker that is told to stop lets its running activities go on. */
  readonly shutdownGraceMs: number;
  /** Extractions one command keeps in flight; the embedded server is at its best between 20 and 50. */
  readonly inFlight: number;
  /** What a tenant without limits of its own may have open, and hand in a second; null: no limit. */
  readonly tenantLimits: { readonly mostOpen: number | null; readonly perSecond: number | null };
  readonly reviewSlaMs: number;
  /** Webhooks may lead to private networks, and without TLS. */
  readonly allowPrivateWebhooks: boolean;
  /** Where a worker shows its metrics; null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
}

/** Every variable this program reads. */
export const variableNames: readonly string[] = [
  ...readableNames,
  ...temporalAccessNames,
  ...secretFileNames,
];

/** Set by this program's own scripts, for themselves. */
const ownNames: readonly string[] = ['ENDSTOP_INSTALLING'];

/** A sentence for each variable that is named as if this program read it, but is not. */
export function misspeltVariables(env: Environment): readonly string[] {
  const known = variableNames.filter((name) => name.startsWith('ENDSTOP_'));
  return Object.keys(env)
    .filter((name) => name.startsWith('ENDSTOP_') && !known.includes(name) && !ownNames.includes(name))
    .map((name) => {
      const nearest = nearestWord(name, known);
      const meant = nearest?.isNear === true ? `; did you mean ${nearest.word}?` : '.';
      return `${name} is no variable of Endstop${meant}`;
    });
}

/** The folder of the local stack, needed before its stack file can be read. A relative path is meant from `cwd`. */
export function readHome(env: Environment, cwd: string): string {
  return resolve(cwd, env['ENDSTOP_HOME'] || '.endstop');
}

/**
 * The environment with secret files read, and with the address and namespace of the Temporal profile that is asked for in
 * their variables: the same for this process and for those it starts. @throws ConfigError
 */
export function resolveEnvironment(env: Environment, cwd: string): Environment {
  const read = readSecretFiles(env, cwd);
  const { address, namespace, access } = readTemporalSettings(read, cwd);
  if (address === undefined && access !== null) {
    throw new ConfigError(
      'The environment says how to enter a Temporal server (TLS, key or headers), but not which: set TEMPORAL_ADDRESS.',
    );
  }
  return {
    ...read,
    ...(address === undefined ? {} : { TEMPORAL_ADDRESS: address }),
    ...(namespace === undefined ? {} : { TEMPORAL_NAMESPACE: namespace }),
  };
}

/**
 * Reads the environment. An empty variable counts as unset; what is unset comes from `stack`, then from the defaults.
 * Throws ConfigError for the first variable that cannot be used.
 */
export function readConfig(env: Environment, stack: StackAddresses | undefined, cwd: string): Config {
  const given = resolveEnvironment(env, cwd);
  const values = readVariables(given);
  const { access } = readTemporalSettings(given, cwd);
  // The local stack's namespace and UI belong to the local stack's server, not to another one.
  const address = values.TEMPORAL_ADDRESS ?? stack?.temporalAddress ?? null;
  const server = address === stack?.temporalAddress ? stack : undefined;
  return {
    databaseUrl: values.DATABASE_URL ?? stack?.databaseUrl ?? null,
    temporal: {
      address,
      namespace: values.TEMPORAL_NAMESPACE ?? server?.namespace ?? 'default',
      uiUrl: values.TEMPORAL_UI_URL ?? server?.urls['temporalUi'] ?? null,
      access,
      codecKeys: readCodecKeys(values.ENDSTOP_CODEC_KEYS),
    },
    deployment: deploymentOf(values.TEMPORAL_DEPLOYMENT_NAME, values.TEMPORAL_WORKER_BUILD_ID),
    model: modelOf(
      values.ANTHROPIC_BASE_URL,
      values.ANTHROPIC_API_KEY,
      values.ENDSTOP_STANDIN_URL ?? stack?.urls['standin'] ?? null,
    ),
    home: readHome(env, cwd),
    isHomeNamed: Boolean(env['ENDSTOP_HOME']),
    api: {
      host: values.ENDSTOP_API_HOST,
      port: values.ENDSTOP_API_PORT,
      key: values.ENDSTOP_API_KEY ?? null,
      perMinute: values.ENDSTOP_REQUESTS_PER_MINUTE,
    },
    specFiles: pathsOf(values.ENDSTOP_SPECS).map((path) => resolve(cwd, path)),
    documents: values.ENDSTOP_DOCUMENTS_URL === undefined ? null : bucketOf(values.ENDSTOP_DOCUMENTS_URL),
    tenant: values.ENDSTOP_TENANT,
    slots: {
      first: values.ENDSTOP_FIRST_SLOTS ?? null,
      repair: values.ENDSTOP_REPAIR_SLOTS ?? null,
      store: values.ENDSTOP_STORE_SLOTS ?? null,
    },
    shutdownGraceMs: values.ENDSTOP_SHUTDOWN_GRACE_SECONDS * 1_000,
    inFlight: values.ENDSTOP_IN_FLIGHT,
    tenantLimits: {
      mostOpen: values.ENDSTOP_TENANT_MOST_OPEN ?? null,
      perSecond: values.ENDSTOP_TENANT_PER_SECOND ?? null,
    },
    reviewSlaMs: values.ENDSTOP_REVIEW_SLA_HOURS * 3_600_000,
    allowPrivateWebhooks: values.ENDSTOP_WEBHOOK_ALLOW_PRIVATE === '1',
    metrics:
      values.ENDSTOP_METRICS_PORT === 0
        ? null
        : { host: values.ENDSTOP_METRICS_HOST, port: values.ENDSTOP_METRICS_PORT },
    logLevel: values.ENDSTOP_LOG_LEVEL,
  };
}

function bucketOf(url: string): { bucket: string; prefix: string } {
  const [bucket = '', ...folders] = url
    .slice('s3://'.length)
    .split('/')
    .filter((part) => part !== '');
  return { bucket, prefix: folders.map((folder) => `${folder}/`).join('') };
}

/** True for addresses that only this machine can reach. Host names other than `localhost` are not trusted to be one. */
export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[|\]$/g, '');
  if (bare === 'localhost' || bare === '::1') return true;
  return isIP(bare) === 4 && bare.startsWith('127.');
}

function deploymentOf(name: string | undefined, buildId: string | undefined): Config['deployment'] {
  if (name !== undefined && buildId !== undefined) return { name, buildId };
  if (name === undefined && buildId === undefined) return null;
  throw new ConfigError(
    'TEMPORAL_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID belong together, but only one of them is set.',
  );
}

/** A model server named in the environment wins; the stand-in is used only when none is. */
function modelOf(baseUrl: string | undefined, key: string | undefined, standinUrl: string | null) {
  const apiKey = key ?? null;
  if (baseUrl !== undefined) {
    const isStandin = standinUrl !== null && new URL(baseUrl).origin === new URL(standinUrl).origin;
    return { provider: isStandin ? 'stand-in' : hostOf(baseUrl), baseUrl, apiKey };
  }
  if (apiKey !== null) return { provider: 'anthropic', baseUrl: null, apiKey };
  return { provider: standinUrl === null ? null : 'stand-in', baseUrl: standinUrl, apiKey: null };
}

function hostOf(baseUrl: string): string {
  const { host } = new URL(baseUrl);
  return host === 'api.anthropic.com' ? 'anthropic' : host;
}
