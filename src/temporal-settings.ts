import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type ClientConfigProfile,
  type ConfigDataSource,
  loadClientConfigProfile,
} from '@temporalio/envconfig';
import { ConfigError, type Environment } from './config-error.js';
import { whyUnreadable } from './secret-files.js';

/** How a Temporal server is entered, beside its address: TLS, the client's own certificate, an API key. */
export interface TemporalAccess {
  /** Null: without TLS. Certificates and keys are PEM; what is missing is the machine's own. */
  readonly tls: {
    readonly serverNameOverride?: string;
    readonly serverRootCACertificate?: Uint8Array;
    readonly clientCertPair?: { readonly crt: Uint8Array; readonly key: Uint8Array };
  } | null;
  readonly apiKey: string | null;
  /** Headers of every request. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface TemporalSettings {
  readonly address: string | undefined;
  readonly namespace: string | undefined;
  /** Null: nothing beside the address is configured. */
  readonly access: TemporalAccess | null;
}

/** The variables of Temporal's own environment configuration that are honoured beside address and namespace. */
export const temporalAccessNames: readonly string[] = [
  'TEMPORAL_PROFILE',
  'TEMPORAL_CONFIG_FILE',
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_CERT_DATA',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_DATA',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_DATA',
  'TEMPORAL_TLS_SERVER_NAME',
];

/**
 * Reads how to reach the Temporal server: TEMPORAL_* variables, and a profile of a `temporal.toml` when one is asked for by
 * TEMPORAL_PROFILE or TEMPORAL_CONFIG_FILE. Variables win. A `temporal.toml` that merely lies in the user's folder is
 * left alone: documents must not go to whatever server another program was last pointed at.
 * @throws ConfigError for a profile, a certificate or a key that cannot be used; never repeats what is in them.
 */
export function readTemporalSettings(env: Environment, cwd: string): TemporalSettings {
  const present = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    name.startsWith('TEMPORAL_') && value?.trim() ? [[name, value.trim()]] : [],
  );
  const profile = loadProfile(Object.fromEntries(present), env, cwd);
  const { address, namespace, apiKey, grpcMeta = {} } = profile;
  const tls = tlsOf(profile, cwd);
  const hasAccess = tls !== null || apiKey !== undefined || Object.keys(grpcMeta).length > 0;
  return {
    address,
    namespace,
    access: hasAccess ? { tls, apiKey: apiKey ?? null, metadata: grpcMeta } : null,
  };
}

function loadProfile(present: Record<string, string>, env: Environment, cwd: string): ClientConfigProfile {
  const tlsSwitch = present['TEMPORAL_TLS'];
  if (tlsSwitch !== undefined && !['true', 'false', '1', '0'].includes(tlsSwitch)) {
    throw new ConfigError(`TEMPORAL_TLS is "${tlsSwitch}", but it must be true or false.`);
  }
  if (present['TEMPORAL_TLS_DISABLE_HOST_VERIFICATION'] !== undefined) {
    throw new ConfigError(
      'TEMPORAL_TLS_DISABLE_HOST_VERIFICATION cannot be used: name the certificate that signed the server in TEMPORAL_TLS_SERVER_CA_CERT_PATH instead.',
    );
  }
  const file = present['TEMPORAL_CONFIG_FILE'];
  const name = present['TEMPORAL_PROFILE'];
  const isFileAsked = file !== undefined || name !== undefined;
  // Where the default file lies depends on these.
  const places = ['HOME', 'XDG_CONFIG_HOME', 'APPDATA'].flatMap((place): [string, string][] => {
    const value = env[place];
    return value === undefined ? [] : [[place, value]];
  });
  const source = file === undefined ? undefined : configFile(resolve(cwd, file));
  try {
    return loadClientConfigProfile({
      overrideEnvVars: { ...Object.fromEntries(places), ...present },
      ...(source === undefined ? { disableFile: !isFileAsked } : { configSource: source }),
    });
  } catch (error) {
    if (error instanceof Error && /^Profile '.*' not found/.test(error.message)) {
      const where = file === undefined ? "the user's temporal.toml" : `"${file}"`;
      throw new ConfigError(`TEMPORAL_PROFILE is "${name}", but ${where} has no such profile.`);
    }
    // A parser's own message quotes the file, which may hold a key.
    const line = (error as { line?: unknown }).line;
    const where = typeof line === 'number' ? ` at line ${line}` : '';
    throw new ConfigError(
      `${file === undefined ? "The user's temporal.toml" : `TEMPORAL_CONFIG_FILE "${file}"`} is no valid TOML${where}.`,
    );
  }
}

function configFile(path: string): ConfigDataSource {
  try {
    return { data: readFileSync(path, 'utf8') };
  } catch (error) {
    throw new ConfigError(
      `TEMPORAL_CONFIG_FILE is "${path}", which cannot be read: ${whyUnreadable(error)}.`,
    );
  }
}

function tlsOf({ tls, apiKey }: ClientConfigProfile, cwd: string): TemporalAccess['tls'] {
  if (tls?.disabled === true) return null;
  // An API key is never sent in the clear unless TLS was switched off by name.
  if (tls === undefined) return apiKey === undefined ? null : {};
  const { serverName, clientCert, clientKey, serverCACert } = tls;
  const ca = pem('The server certificate', 'TEMPORAL_TLS_SERVER_CA_CERT_PATH', serverCACert, cwd);
  const crt = pem('The client certificate', 'TEMPORAL_TLS_CLIENT_CERT_PATH', clientCert, cwd);
  const key = pem('The client key', 'TEMPORAL_TLS_CLIENT_KEY_PATH', clientKey, cwd);
  if ((crt === undefined) !== (key === undefined)) {
    const [given, missing] =
      key === undefined
        ? ['certificate', 'TEMPORAL_TLS_CLIENT_KEY_PATH']
        : ['key', 'TEMPORAL_TLS_CLIENT_CERT_PATH'];
    throw new ConfigError(
      `A client ${given} is configured for Temporal, but nothing that belongs to it: set ${missing}.`,
    );
  }
  if (ca !== undefined) certificate('The server certificate', 'TEMPORAL_TLS_SERVER_CA_CERT_PATH', ca);
  if (crt !== undefined && key !== undefined) assertPair(crt, key);
  return {
    ...(serverName === undefined ? {} : { serverNameOverride: serverName }),
    ...(ca === undefined ? {} : { serverRootCACertificate: ca }),
    ...(crt === undefined || key === undefined ? {} : { clientCertPair: { crt, key } }),
  };
}

function pem(
  what: string,
  variable: string,
  source: ConfigDataSource | undefined,
  cwd: string,
): Uint8Array | undefined {
  if (source === undefined) return undefined;
  if ('data' in source) return Buffer.from(source.data);
  try {
    return readFileSync(resolve(cwd, source.path));
  } catch (error) {
    throw new ConfigError(
      `${what} for Temporal, "${source.path}", cannot be read: ${whyUnreadable(error)}; see ${variable}.`,
    );
  }
}

function assertPair(crt: Uint8Array, key: Uint8Array): void {
  const owned = certificate('The client certificate', 'TEMPORAL_TLS_CLIENT_CERT_PATH', crt);
  let secret: KeyObject;
  try {
    secret = createPrivateKey(Buffer.from(key));
  } catch {
    throw new ConfigError(
      'The client key for Temporal is no private key in PEM without a password; see TEMPORAL_TLS_CLIENT_KEY_PATH.',
    );
  }
  if (owned.checkPrivateKey(secret)) return;
  throw new ConfigError(
    'The client key for Temporal does not belong to the client certificate; see TEMPORAL_TLS_CLIENT_KEY_PATH.',
  );
}

function certificate(what: string, variable: string, bytes: Uint8Array): X509Certificate {
  try {
    return new X509Certificate(bytes);
  } catch {
    throw new ConfigError(`${what} for Temporal is no certificate in PEM; see ${variable}.`);
  }
}
