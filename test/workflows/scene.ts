import { Client, Connection } from '@temporalio/client';
import { dataConverter } from '../../src/adapters/temporal/data-converter.js';
import type { Application } from '../../src/application/application.js';
import { awaitEnd } from '../../src/application/await-outcome.js';
import { extractionKey, subjectKey } from '../../src/application/keys.js';
import { type ExtractionReading, readOutcome } from '../../src/application/read-outcome.js';
import { type Submission, submitExtraction } from '../../src/application/submit-extraction.js';
import type { ExtractionInput } from '../../src/domain/extraction-input.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { Call } from '../../src/ports/attempt-store.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import type { Spec } from '../../src/spec/spec.js';
import { type House, type HouseOptions, openHouse } from '../support/house.js';
import { type ModelRelay, openModelRelay, type Turn } from '../support/model-relay.js';

/** One text document and what its calls meet. */
export interface Scenario {
  readonly spec: Spec;
  readonly text: string;
  readonly turns?: readonly Turn[];
  readonly submission?: Partial<Submission>;
  /** Submit through this application instead of the house's own. */
  readonly app?: Application;
}

export interface Ended extends ExtractionReading {
  readonly calls: readonly Call[];
}

/** A house whose model server is a relay, and a client that looks into its engine. */
export interface Scene {
  readonly house: House;
  readonly models: ModelRelay;
  readonly client: Client;
  submit(scenario: Scenario): Promise<Extraction>;
  /** Stores the document and opens the row, as a submission does, but starts nothing. */
  prepare(scenario: Scenario): Promise<{ readonly row: Extraction; readonly input: ExtractionInput }>;
  ended(extraction: Extraction): Promise<Ended>;
  run(scenario: Scenario): Promise<Ended>;
  /** Event attribute names of the run's history, in order: `activityTaskScheduled`, `timerStarted`, ... */
  events(extraction: Extraction): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openScene(options: Omit<HouseOptions, 'modelUrl'>): Promise<Scene> {
  const models = await openModelRelay();
  const house = await openHouse({ ...options, modelUrl: models.url });
  const connection = await Connection.connect({ address: house.temporal.address });
  const client = new Client({ connection, dataConverter });
  const { store } = house.app;

  const submit = async ({
    spec,
    text,
    turns = [],
    submission,
    app = house.app,
  }: Scenario): Promise<Extraction> => {
    models.plan(text, turns);
    const { extraction } = await submitExtraction(app, {
      tenant: 'test',
      specId: spec.id,
      document: { kind: 'bytes', mediaType: 'text/plain', bytes: Buffer.from(text) },
      fileName: null,
      tags: [],
      budgets: {},
      redrive: false,
      ...submission,
    });
    return extraction;
  };
  const prepare = async ({ spec, text, turns = [] }: Scenario) => {
    models.plan(text, turns);
    const at = Date.now();
    const tenant = 'test';
    const bytes = Buffer.from(text);
    const documentHash = await store.documents.put({ mediaType: 'text/plain', bytes, tenant, at });
    const versions = { schemaVersion: spec.schemaVersion, promptVersion: spec.prompt.version };
    const parts = { tenant, documentHash, specId: spec.id, ...versions };
    const ref = { ...parts, key: extractionKey(parts), subject: subjectKey(parts) };
    const { policy } = spec;
    const bounds = { policy, tags: [], batchId: null };
    const opening = { ...ref, ...bounds, fileName: null, at };
    const { extraction: row } = await store.extractions.open(opening, false);
    const input = { ...ref, ...bounds, run: row.run, batchBudgetGone: false, reviewSlaMs: 60_000 };
    return { row, input };
  };
  const ended = async (extraction: Extraction): Promise<Ended> => {
    const reading = await readOutcome(store, await awaitEnd(house.app, extraction));
    return { ...reading, calls: await store.attempts.calls(extraction.key, extraction.run) };
  };
  return {
    house,
    models,
    client,
    submit,
    prepare,
    ended,
    run: async (scenario) => await ended(await submit(scenario)),
    events: async ({ key }) => {
      const { events } = await client.workflow.getHandle(workflowIds.extraction(key)).fetchHistory();
      return (events ?? []).map((event) => {
        const attributes = Object.keys(event).find((name) => name.endsWith('EventAttributes'));
        return attributes?.replace('EventAttributes', '') ?? 'unknown';
      });
    },
    close: async () => {
      await client.connection.close();
      await house.close();
      await models.close();
    },
  };
}
