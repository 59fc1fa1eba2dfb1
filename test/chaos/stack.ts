import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import { Client } from 'pg';
import { migrate } from '../../src/adapters/postgres/migrate.js';
import { dataConverter } from '../../src/adapters/temporal/data-converter.js';
import { reconcileScheduleId } from '../../src/adapters/temporal/schedule.js';
import { otherPort } from '../../src/embedded/ports.js';
import { type EndstopProcess, startEndstop } from '../processes/endstop-process.js';
import { openLink, type SeverableLink } from '../processes/severable-link.js';
import { type ModelRelay, openModelRelay, relayKey } from '../support/model-relay.js';
import { startTestPostgres } from '../support/postgres.js';
import { startTestTemporal } from '../support/temporal.js';
import { openReceiver, type Receiver } from '../support/webhook-receiver.js';

export type Row = Readonly<Record<string, unknown>>;

/** Kills one part of a deployment without a farewell, leaves it dead for so long, and brings it back. */
type Strike = (downMs: number) => Promise<void>;

/** A deployment of processes that know each other by address only: two workers, two APIs, Postgres, Temporal. */
export interface Stack {
  readonly models: ModelRelay;
  readonly receiver: Receiver;
  readonly temporal: TemporalClient;
  readonly strikes: Readonly<Record<'worker' | 'api' | 'postgres' | 'temporal', Strike>>;
  /** The way of both first workers to Temporal. Who cuts it kills both of them next. */
  readonly link: SeverableLink;
  /** Base URLs; the last one is of a process that knows the specs of before only. */
  readonly apis: readonly [string, string, string];
  /** One statement on a connection of its own. */
  sql(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Several statements on one connection. */
  onDatabase<T>(use: (client: Client) => Promise<T>): Promise<T>;
  /** Holds rows until they are released, as somebody does who is slow. */
  lock(text: string, values: readonly unknown[]): Promise<{ release(): Promise<void> }>;
  /** What its processes said last, also those that are dead. */
  said(): string;
  /** One look of the reconciler, now instead of within the minute. */
  reconcile(): Promise<void>;
  close(): Promise<void>;
}

const specs = (file: string) => join(import.meta.dirname, file);

export async function openStack(): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), 'endstop-chaos-'));
  const [postgres, temporalServer, models, receiver] = await Promise.all([
    startTestPostgres(),
    startTestTemporal(join(folder, 'temporal.db')),
    openModelRelay(),
    openReceiver(),
  ]);
  const databaseUrl = postgres.databaseUrl('endstop');
  const onDatabase = async <T>(url: string, use: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    return await use(client).finally(() => client.end().catch(() => undefined));
  };
  /** Whoever looks while Postgres is struck looks again once it is back. */
  const looking = async <T>(use: (client: Client) => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await onDatabase(databaseUrl, use);
      } catch (error) {
        if (tries === 240 || !isLostConnection(error)) throw error;
        await pause(250);
      }
    }
  };
  await onDatabase(postgres.databaseUrl('postgres'), (client) => client.query('create database endstop'));
  await migrate(databaseUrl);

  const env = (others: Readonly<Record<string, string>>) => ({
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalServer.address,
    ANTHROPIC_BASE_URL: models.url,
    ANTHROPIC_API_KEY: relayKey,
    ENDSTOP_SPECS: specs('specs.ts'),
    ENDSTOP_WEBHOOK_ALLOW_PRIVATE: '1',
    // A few at a time, so that a redrive of some two dozen is long enough to be hit in the middle.
    ENDSTOP_IN_FLIGHT: '4',
    // Whoever waits for many ends at once asks more often than a caller may.
    ENDSTOP_REQUESTS_PER_MINUTE: '0',
    ENDSTOP_LOG_LEVEL: 'error',
    ...others,
  });
  const link = await openLink(temporalServer.address);
  const everyone: EndstopProcess[] = [];
  const started = async (...how: Parameters<typeof startEndstop>) => {
    const process = await startEndstop(...how);
    everyone.push(process);
    return process;
  };
  const startWorker = (address = temporalServer.address) =>
    started(['worker'], env({ TEMPORAL_ADDRESS: address }), 'worker ready');
  const startApi = (port: number, file = 'specs.ts') =>
    started(['api'], env({ ENDSTOP_API_PORT: String(port), ENDSTOP_SPECS: specs(file) }), 'API ready at');
  const ports = [await otherPort(), await otherPort(), await otherPort()] as const;
  // The labels of before are known first, as in a deployment that grew.
  await startApi(ports[2], 'specs-before.ts');
  const workers = await Promise.all([startWorker(link.address), startWorker(link.address)]);
  const apis = await Promise.all([startApi(ports[0]), startApi(ports[1])]);

  /** Kills the one that runs longest, and starts another in its place. */
  const replaced =
    (processes: EndstopProcess[], start: (index: number) => Promise<EndstopProcess>) =>
    async (downMs: number) => {
      const oldest = processes.shift();
      if (oldest === undefined) throw new Error('There is nothing to kill.');
      const index = replacements.get(oldest) ?? 0;
      const how = await oldest.end('SIGKILL');
      if (how !== 'SIGKILL') throw new Error(`It had ended by itself (${how}):\n${oldest.output()}`);
      await pause(downMs);
      const next = await start(index);
      replacements.set(next, index);
      processes.push(next);
    };
  const replacements = new Map<EndstopProcess, number>(apis.map((api, index) => [api, index]));
  const servers = { postgres, temporal: temporalServer };
  const restarted = (name: keyof typeof servers) => async (downMs: number) => {
    await servers[name].kill();
    await pause(downMs);
    await servers[name].start();
  };

  const connection = await Connection.connect({ address: temporalServer.address });
  const temporal = new TemporalClient({ connection, dataConverter });
  const url = (port: number) => `http://127.0.0.1:${port}`;
  return {
    models,
    receiver,
    temporal,
    link,
    strikes: {
      worker: replaced(workers, () => startWorker()),
      api: replaced(apis, (index) => startApi(ports[index] ?? 0)),
      postgres: restarted('postgres'),
      temporal: restarted('temporal'),
    },
    apis: [url(ports[0]), url(ports[1]), url(ports[2])],
    sql: (text, values = []) => looking(async (client) => (await client.query(text, [...values])).rows),
    onDatabase: looking,
    lock: async (text, values) => {
      const client = new Client({ connectionString: databaseUrl });
      client.on('error', () => undefined);
      await client.connect();
      await client.query('begin');
      await client.query(text, [...values]);
      return { release: () => client.end() };
    },
    said: () => everyone.map((process) => process.output().slice(-1_500)).join('\n'),
    reconcile: () => temporal.schedule.getHandle(reconcileScheduleId).trigger(),
    close: async () => {
      await Promise.all(everyone.map((process) => process.end('SIGKILL')));
      await connection.close();
      await link.close();
      await temporalServer.stop();
      await postgres.stop();
      await models.close();
      await receiver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The server went away, is on its way back, or cannot be reached; not what it says of a statement. */
function isLostConnection(error: unknown): boolean {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  return /^(57P|08|ECONN|EPIPE)/.test(code) || /^(Connection terminated|timeout expired)/.test(message);
}
