import {
  createLaneActivities,
  createStoreActivities,
  createUpkeepActivities,
} from '../../activities/index.js';
import specs from '../../specs/index.js';
import { createAnthropicExtractor } from '../../src/adapters/anthropic/extractor.js';
import { createDocumentReader } from '../../src/adapters/pdf/reader.js';
import { createPostgresStore } from '../../src/adapters/postgres/store.js';
import type { TemporalServer } from '../../src/adapters/temporal/connection.js';
import { createTemporalEngine } from '../../src/adapters/temporal/engine.js';
import { createWorkers } from '../../src/adapters/temporal/worker.js';
import type { WorkerLane } from '../../src/adapters/temporal/worker-lanes.js';
import type { Application } from '../../src/application/application.js';
import { awaitEnd } from '../../src/application/await-outcome.js';
import type { ExtractionReading } from '../../src/application/read-outcome.js';
import { readOutcome } from '../../src/application/read-outcome.js';
import { type Submission, submitExtraction } from '../../src/application/submit-extraction.js';
import { createUpkeep } from '../../src/application/upkeep.js';
import type { Breaker } from '../../src/ports/breaker.js';
import type { DocumentReader } from '../../src/ports/document-reader.js';
import type { Observer } from '../../src/ports/observer.js';
import type { Tracing } from '../../src/ports/tracing.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import type { Spec } from '../../src/spec/spec.js';
import { createStandin, type Standin } from '../../src/standin/server.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { startTestTemporal, type TestTemporal } from './temporal.js';

export interface HouseOptions {
  readonly specs?: readonly Spec[];
  /** A database of the caller's own server, dropped with the house; one of the shared server unless told. */
  readonly database?: TestDatabase;
  /** Lanes that get a worker in this process; all unless told. */
  readonly lanes?: readonly WorkerLane[];
  readonly standin?: Parameters<typeof createStandin>[0];
  /** Base URL of another model server. */
  readonly modelUrl?: string;
  readonly temporalFile?: string;
  /** Another way to the server than its own address. */
  readonly entrance?: (address: string) => Promise<TemporalServer>;
  /** Dynamic configuration of the Temporal server. */
  readonly temporalSettings?: Readonly<Record<string, number | boolean | string>>;
  /** Added to the environment of the Temporal server. */
  readonly temporalEnv?: Readonly<Record<string, string>>;
  /** Concurrent attempts of a lane, where they differ from 14 and 4. */
  readonly slots?: { readonly first: number; readonly repair: number };
  readonly tracing?: Tracing;
  readonly observer?: Observer;
  /** Asked before each attempt; what it returns is thrown where the attempt's own work would be. */
  readonly activityFault?: () => Error | null;
  /** Slots of the first lane; 14 unless told. */
  readonly firstSlots?: number;
  /** None unless given: faults that tests plan for one document would open it for all. */
  readonly breaker?: Breaker;
}

/** Lets every call through. */
export const noBreaker: Breaker = {
  guard: (_model, call) => call(),
  suspendedUntil: () => null,
  breakers: () => [],
};

/** A fault that nobody foresaw fails the test run, wherever it is met. */
const reportFault = (error: unknown): void => {
  setImmediate(() => {
    throw error;
  });
};

/** Real server, real Postgres, real sockets; workers in this process. */
export interface House {
  readonly app: Application;
  readonly standin: Standin;
  readonly standinUrl: string;
  readonly temporal: TestTemporal;
  readonly database: TestDatabase;
  /** Submits and waits until the run has ended. */
  extract(
    submission: Partial<Submission> & Pick<Submission, 'specId' | 'document'>,
  ): Promise<ExtractionReading>;
  close(): Promise<void>;
}

export async function openHouse(options: HouseOptions = {}): Promise<House> {
  const standin = createStandin(options.standin);
  const [database, temporal, standinUrl] = await Promise.all([
    options.database ?? createTestDatabase(),
    startTestTemporal(options.temporalFile, options.temporalSettings, options.temporalEnv),
    standin.listen(0, '127.0.0.1'),
  ]);
  const server = (await options.entrance?.(temporal.address)) ?? {
    address: temporal.address,
    namespace: 'default',
  };
  const store = createPostgresStore({ databaseUrl: database.databaseUrl });
  const pdfReader = createDocumentReader();
  const reader: DocumentReader = {
    read: async (document) => {
      const fault = options.activityFault?.() ?? null;
      if (fault !== null) throw fault;
      return await pdfReader.read(document);
    },
  };
  const catalogue = createCatalogue(options.specs ?? specs);
  const tracing = options.tracing === undefined ? {} : { tracing: options.tracing };
  const watched = { ...tracing, ...(options.observer === undefined ? {} : { observer: options.observer }) };
  const deps = {
    store,
    reader,
    extractor: createAnthropicExtractor({
      provider: 'stand-in',
      apiKey: 'test-key',
      baseUrl: options.modelUrl ?? standinUrl,
    }),
    breaker: options.breaker ?? noBreaker,
    catalogue,
    now: Date.now,
    random: Math.random,
    ...watched,
  };
  const workers = await createWorkers({
    ...server,
    lanes: options.lanes ?? ['workflows', 'first', 'repair', 'store'],
    slots: { workflows: 100, first: options.firstSlots ?? 14, repair: 4, store: 10, ...options.slots },
    laneActivities: createLaneActivities(deps),
    storeActivities: createStoreActivities(deps),
    upkeepActivities: createUpkeepActivities(createUpkeep(async () => app, reportFault)),
    shutdownGraceMs: 1_000,
    ...tracing,
  });
  const running = workers.run();
  const engine = await createTemporalEngine({ ...server, uiUrl: temporal.uiUrl, ...tracing });
  const app: Application = {
    store,
    engine,
    catalogue,
    reader,
    reviewSlaMs: 86_400_000,
    now: Date.now,
    ...tracing,
  };
  return {
    app,
    standin,
    standinUrl,
    temporal,
    database,
    extract: async (submission) => {
      const started = await submitExtraction(app, {
        tenant: 'test',
        fileName: null,
        tags: [],
        budgets: {},
        redrive: false,
        ...submission,
      });
      return await readOutcome(store, await awaitEnd(app, started.extraction));
    },
    close: async () => {
      workers.stop();
      await running;
      await engine.close();
      await temporal.stop();
      await pdfReader.close();
      await store.close();
      await standin.close();
      await database.drop();
    },
  };
}
