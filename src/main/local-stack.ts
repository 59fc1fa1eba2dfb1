import { fileURLToPath } from 'node:url';
import { migrate } from '../adapters/postgres/migrate.js';
import { connect } from '../adapters/temporal/connection.js';
import { registerSearchAttributes } from '../adapters/temporal/search-attribute-setup.js';
import { type Config, resolveEnvironment, variableNames } from '../config.js';
import { startStack } from '../embedded/stack.js';
import { wasUsed } from '../embedded/stack-absence.js';
import type { ChildSpec, Stack, StackBase } from '../embedded/stack-options.js';
import { assertKeyed, assertListens, isExposed } from '../http/listening.js';
import { namedModel } from './model-server.js';
import { openStore } from './parts.js';

export interface LocalStackOptions {
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Told in words what happens. */
  say(line: string): void;
  onCrash(crash: {
    readonly name: string;
    readonly how: string;
    readonly logPath: string;
    readonly logLines: readonly string[];
  }): void;
}

/** Brings up, or attaches to, everything on this machine: database, engine, stand-in (unless a model is named), worker, API. */
export async function bringUp(options: LocalStackOptions): Promise<Stack> {
  const { config, signal, say, onCrash } = options;
  const env = { ...resolveEnvironment(options.env, process.cwd()) };
  return await startStack(
    {
      home: config.home,
      env,
      namespace: config.temporal.namespace,
      settings: servingSettings(env),
      model: namedModel(config),
      choosesApiPort: !asksForPort(config, env),
      checkFirst: async () => {
        if (asksForPort(config, env)) await assertListens(config.api);
        if (!isKept(config, env)) assertKeyed(config.api, false);
      },
      migrate: async (databaseUrl) => {
        await migrate(databaseUrl);
        assertKeyed(config.api, await hasKeys(config, databaseUrl));
      },
      registerSearchAttributes: async (address, namespace, signal) => {
        const connection = await connect({ address, access: config.temporal.access });
        try {
          await connection.withAbortSignal(signal, () => registerSearchAttributes(connection, namespace));
        } finally {
          await connection.close();
        }
      },
      children: (base) => childrenOf(config, env, base),
      onCrash,
      signal,
    },
    say,
  );
}

/** What somebody asked for is used, or refused; otherwise the API gets a port that is free. */
function asksForPort({ api }: Config, env: NodeJS.ProcessEnv): boolean {
  return Boolean(env['ENDSTOP_API_PORT']) && api.port !== 0;
}

/** Whether there may be keys: a database that somebody runs, or that of an earlier start. */
function isKept({ home }: Config, env: NodeJS.ProcessEnv): boolean {
  return Boolean(env['DATABASE_URL']) || wasUsed(home);
}

async function hasKeys(config: Config, databaseUrl: string): Promise<boolean> {
  if (!isExposed(config.api)) return false;
  const store = await openStore({ ...config, databaseUrl });
  try {
    return await store.keys.any();
  } finally {
    await store.close();
  }
}

/** What the asking shell alone uses: another value of these changes nothing about a stack that runs. */
const askersOwn = new Set(['ENDSTOP_HOME', 'ENDSTOP_TENANT', 'ENDSTOP_IN_FLIGHT', 'ENDSTOP_STANDIN_URL']);

function servingSettings(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    variableNames.flatMap((name) => {
      const value = env[name];
      return value === undefined || value === '' || askersOwn.has(name) ? [] : [[name, value] as const];
    }),
  );
}

/** All at once: none needs another to start, and on two cores each waits for the processor more than for anything else. */
function childrenOf(
  config: Config,
  asked: NodeJS.ProcessEnv,
  base: StackBase,
): readonly (readonly ChildSpec[])[] {
  const standinUrl = `http://127.0.0.1:${base.standinPort}`;
  const isModelNamed = namedModel(config) !== null;
  const model: Record<string, string> = isModelNamed ? {} : { ENDSTOP_STANDIN_URL: standinUrl };
  const apiPort = asksForPort(config, asked) ? config.api.port : base.apiPort;
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const env = {
    ...model,
    ENDSTOP_HOME: config.home,
    ...(base.temporalUiUrl === undefined ? {} : { TEMPORAL_UI_URL: base.temporalUiUrl }),
  };
  const standin: ChildSpec = {
    name: 'standin',
    title: 'the stand-in model',
    command: endstop('standin', '--port', String(base.standinPort)),
    url: standinUrl,
    readyLine: /"url"/,
  };
  const worker: ChildSpec = {
    name: 'worker',
    title: 'the worker',
    command: endstop('worker'),
    env,
    readyLine: /worker ready/,
    stopGraceMs: 15_000,
  };
  const api: ChildSpec = {
    name: 'api',
    title: 'the API',
    command: endstop('api'),
    env: { ...env, ENDSTOP_API_PORT: String(apiPort) },
    url: apiUrl,
    readyUrl: `${apiUrl}/readyz`,
  };
  return [isModelNamed ? [worker, api] : [standin, worker, api]];
}

/** The same commands that a deployment runs. */
function endstop(...args: readonly string[]): string[] {
  return [process.execPath, fileURLToPath(new URL('../../bin/endstop.mjs', import.meta.url)), ...args];
}
