import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import { parse } from 'yaml';

/** Null: as it is outside, and not there where it is not set. */
type Environment = Readonly<Record<string, string | null>>;

export interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Environment;
  readonly secrets?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly deploy?: {
    readonly replicas?: number;
    readonly resources: {
      readonly limits: { readonly cpus: string; readonly memory: string; readonly pids: number };
    };
  };
  readonly ports?: readonly string[];
  readonly expose?: readonly string[];
  readonly volumes?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

export interface Compose {
  /** Null: taken away from the file before. */
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** A Compose file with what comes from the shell or from .env filled in, and without Compose's own tags. */
export function readCompose(path: string, env: Readonly<Record<string, string>> = {}): Compose {
  const text = readFileSync(path, 'utf8')
    .replaceAll(/(?<!\$)\$\{(\w+):[-?]([^}]*)\}/g, (_, name: string, usual: string) => env[name] ?? usual)
    .replaceAll(/!(?:reset|override)/g, '');
  return parse(text, { merge: true });
}

export const composeText = readFileSync('docker-compose.yml', 'utf8');
export const compose = readCompose('docker-compose.yml');
export const services = Object.entries(compose.services);
/** Those that run Endstop itself. */
export const ours = services.filter(([, { build }]) => build !== undefined);

/** What deploy/secrets.sh makes. */
export const secretFolder = mkdtempSync(join(tmpdir(), 'endstop-secrets-'));
export const makeSecrets = (env: Record<string, string>) =>
  spawnSync(resolve('deploy/secrets.sh'), [secretFolder], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
afterAll(() => rmSync(secretFolder, { recursive: true }));

/** A service's environment with its secrets where they lie here. */
export const withSecrets = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === null ? [] : [[name, value.replace('/run/secrets', secretFolder)]],
    ),
  );
