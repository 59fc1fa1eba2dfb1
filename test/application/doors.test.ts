import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import specs from '../../specs/index.js';
import { createPostgresStore } from '../../src/adapters/postgres/store.js';
import type { Application } from '../../src/application/application.js';
import { exportRecords } from '../../src/application/export-records.js';
import { addWebhook } from '../../src/application/webhooks.js';
import { createApp } from '../../src/http/app.js';
import { createLogger } from '../../src/http/log.js';
import { type VerificationStatus, verificationStatuses } from '../../src/ports/record-store.js';
import type { Store } from '../../src/ports/store.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { createCommandLine, jsonLines } from '../cli/command-line.js';
import {
  accepted,
  askAboutSample,
  decide,
  landing,
  openRun,
  recordOf,
  rejected,
  sameDocument,
  toReview,
} from '../contract/store/fixtures.js';
import { csvObjects } from '../support/csv.js';
import { createBench } from '../support/fakes/bench.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { openReceiver } from '../support/webhook-receiver.js';
import { dispatcherOf } from './webhook-bench.js';

const tenant = 'doors';
const isData = (status: string) => status === 'verified' || status === 'human_verified';
/** What each record says: no two the same, so that what comes through a door is known by its words. */
const saying = (what: string) => ({ claimant: `words of ${what}` });

/**
 * Every door through which records leave. Each reads with no status asked for; what is asked for by name is beside it.
 */
describe('records of every status, and verified ones that are data no more', () => {
  let database: TestDatabase;
  let store: Store;
  let app: Application;
  const bodies: string[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    store = createPostgresStore({ databaseUrl: database.databaseUrl });
    app = { ...createBench(createCatalogue(specs)).app, store };
    const receiver = await openReceiver();
    await addWebhook(store, { url: receiver.url, tenant, allowPrivate: true, now: Date.now() });
    await fill();
    const dispatcher = dispatcherOf({ webhooks: store.webhooks });
    dispatcher.run();
    const { items } = await store.webhooks.deliveries({ tenant }, { limit: 200 });
    await receiver.came(items.length);
    await dispatcher.end();
    bodies.push(...receiver.received.map(({ body }) => body));
    await receiver.close();
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  async function fill(): Promise<void> {
    for (const status of verificationStatuses) {
      const ref = await openRun(store, { tenant });
      if (status === 'verified') await store.attempts.commit(accepted(ref, { candidate: saying(status) }));
      else if (status === 'human_verified' || status === 'rejected') {
        await store.attempts.commit(rejected(ref));
        await store.extractions.land(toReview(ref));
        await decide(store, ref.subject, status === 'rejected' ? 'reject' : 'approve', saying(status));
      } else {
        await store.extractions.land(landing(ref));
        await store.records.put(recordOf(ref, { status, record: saying(status) }));
      }
    }
    const old = await openRun(store, { tenant });
    await store.attempts.commit(accepted(old, { candidate: saying('superseded'), at: 5 }));
    const next = await openRun(store, sameDocument(old, { promptVersion: 'v8' }));
    await store.attempts.commit(accepted(next, { candidate: saying('verified'), at: 6 }));
    const { ref, id } = await askAboutSample(store, { tenant });
    const client = new pg.Client({ connectionString: database.databaseUrl });
    await client.connect();
    await client.query('update records set record = $1 where key = $2', [saying('refuted'), ref.key]);
    await client.end();
    await decide(store, id, 'reject');
    const erased = await openRun(store, { tenant });
    await store.attempts.commit(accepted(erased, { candidate: saying('erased') }));
    await store.retention.erase(tenant, erased.documentHash, 9_000_000);
  }

  const wordsIn = (text: string) => new Set([...text.matchAll(/words of (\w+)/g)].map(([, what]) => what));
  const expected = new Set(['verified', 'human_verified']);

  async function http(query: string): Promise<string> {
    const logger = createLogger('silent');
    const api = createApp({ app, apiKey: null, tenant, inFlight: 4, logger, version: '0' });
    const response = await api.request(`/v1/records?tenant=${tenant}&limit=200${query}`);
    expect(response.status).toBe(200);
    return response.text();
  }
  async function cli(...argv: string[]): Promise<string> {
    const line = createCommandLine();
    const openStore = async () => ({ ...store, close: async () => undefined });
    line.changes = { openStore, catalogue: async () => createCatalogue(specs) };
    const ran = await line.run('records', ...argv, '--tenant', tenant);
    expect(ran).toMatchObject({ code: 0, error: '' });
    return ran.out;
  }
  async function exported(format: 'csv' | 'jsonl'): Promise<string> {
    let whole = '';
    const filter = { tenant, specId: 'claim' };
    for await (const { text } of exportRecords(app, { filter, format, flatten: null })) whole += text;
    return whole;
  }

  it('are all there, each under its name', async () => {
    const { items } = await store.records.list({ tenant, statuses: verificationStatuses }, { limit: 50 });
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(verificationStatuses));
    // One that a person refuted, or that was erased, is not even there for who asks for everything.
    expect(wordsIn(JSON.stringify(items))).toEqual(new Set([...verificationStatuses, 'superseded']));
  });

  it.each<[string, () => Promise<string>]>([
    ['the store', async () => JSON.stringify(await store.records.list({ tenant }, { limit: 50 }))],
    ['records list', () => cli('list')],
    ['records list --json', () => cli('list', '--json')],
    ['records export as CSV', () => cli('export', '--format', 'csv', '--spec', 'claim')],
    ['records export as JSON lines', () => cli('export')],
    ['an export as CSV', () => exported('csv')],
    ['an export as JSON lines', () => exported('jsonl')],
    ['GET /v1/records', () => http('')],
    ['GET /v1/records as CSV', () => http('&format=csv&spec=claim')],
    ['GET /v1/records as JSON lines', () => http('&format=jsonl')],
    [
      'the view of the database',
      async () => {
        const client = new pg.Client({ connectionString: database.databaseUrl });
        await client.connect();
        const { rows } = await client.query('select * from verified_records where tenant = $1', [tenant]);
        await client.end();
        return JSON.stringify(rows);
      },
    ],
  ])('come through %s only if they are data', async (_door, read) => {
    expect(wordsIn(await read())).toEqual(expected);
  });

  it('carry their status through every door, asked for or not', async () => {
    const statusesIn = (rows: readonly Record<string, unknown>[], name: string) => {
      expect(rows.length).toBeGreaterThan(1);
      for (const row of rows) expect(isData(String(row[name])), String(row[name])).toBe(true);
    };
    statusesIn(csvObjects(await cli('export', '--format', 'csv', '--spec', 'claim')), 'verification_status');
    statusesIn(csvObjects(await http('&format=csv&spec=claim')), 'verification_status');
    statusesIn(JSON.parse(await http('')).items, 'verificationStatus');
    statusesIn(jsonLines({ out: await http('&format=jsonl'), code: 0, error: '' }), 'verificationStatus');
    const all = csvObjects(
      await cli('export', '--format', 'csv', '--spec', 'claim', '--status', ...verificationStatuses),
    );
    expect(new Set(all.map((row) => row['verification_status']))).toEqual(new Set(verificationStatuses));
  });

  it('are announced to webhooks by reference and status, and never by what they say', () => {
    expect(bodies.length).toBeGreaterThan(verificationStatuses.length);
    for (const body of bodies) {
      expect(wordsIn(body)).toEqual(new Set());
      expect(body).not.toContain('claimant');
      const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> };
      expect(data).toHaveProperty('verificationStatus');
      const status = data['verificationStatus'] as VerificationStatus | null;
      if (type === 'record.stored') expect(isData(String(status))).toBe(false);
      if (type === 'extraction.verified') expect(status).toBe('verified');
    }
    const told = bodies.map((body) => JSON.parse(body).data.verificationStatus as string | null);
    expect(new Set(told)).toEqual(new Set([...verificationStatuses, null]));
  });
});
