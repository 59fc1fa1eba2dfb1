import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { describe, expect, it } from 'vitest';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { createApp } from '../../src/http/app.js';
import { createLogger } from '../../src/http/log.js';
import { RecordPage } from '../../src/http/schemas/record.js';
import { StoreUnavailable } from '../../src/ports/store.js';
import { csvObjects } from '../support/csv.js';
import { type Bench, createBench, storedRecord, textSubmission } from '../support/fakes/bench.js';
import { badReceipt, goodReceipt } from '../support/fakes/receipt-spec.js';
import { conforms, createApi, problemIn } from './api.js';

async function fill(bench: Bench): Promise<void> {
  const { extraction } = await submitExtraction(bench.app, textSubmission('a'));
  const { currency, lines, total } = goodReceipt;
  bench.store.recordRows.push(storedRecord(extraction, 'verified', { lines, total, currency }));
  bench.store.recordRows.push(storedRecord(extraction, 'best_effort', badReceipt));
}

function appOf(bench: Bench) {
  const { log } = createApi();
  const stream = { write: (line: string) => log.push(line) };
  const logger = createLogger('info', stream);
  return createApp({ app: bench.app, apiKey: null, tenant: 'acme', inFlight: 4, logger, version: '0' });
}

describe('GET /v1/records', () => {
  it('shows verified records, their fields in the order of the spec', async () => {
    const bench = createBench();
    await fill(bench);
    const response = await appOf(bench).request('/v1/records?since=2026-03-01T12:00:00Z');
    const text = await response.text();
    expect(RecordPage.parse(JSON.parse(text)).items.map((item) => item.verificationStatus)).toEqual([
      'verified',
    ]);
    expect(text).toContain(
      '"record":{"currency":"EUR","lines":[{"amount":"1.20"},{"amount":"3.30"}],"total":"4.50"}',
    );
    const later = await appOf(bench).request('/v1/records?since=2026-03-01T13:00:01%2B01:00');
    expect(await later.json()).toEqual({ items: [], nextCursor: null });
  });

  it('as csv or jsonl gives all of them as text, and no page of them', async () => {
    const bench = createBench();
    await fill(bench);
    const csv = await appOf(bench).request(
      '/v1/records?format=csv&limit=1&status=verified&status=best_effort',
    );
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(csvObjects(await csv.text()).map((row) => row['verification_status'])).toEqual([
      'verified',
      'best_effort',
    ]);
    const jsonl = await appOf(bench).request('/v1/records?format=jsonl');
    expect(jsonl.headers.get('content-type')).toBe('application/jsonl');
    expect(
      (await jsonl.text())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ verificationStatus: 'verified' }]);
  });

  it('says what is wrong with the question as a problem', async () => {
    const api = createApi();
    problemIn(await api.get('/v1/records?format=xml'), 400, 'invalid-parameter');
    problemIn(await api.get('/v1/records?since=yesterday'), 400, 'invalid-parameter');
    problemIn(await api.get('/v1/records?format=csv&spec=nil'), 422, 'unknown-spec');
    problemIn(await api.get('/v1/records?format=csv&flatten=rows'), 422, 'invalid-request');
    conforms(RecordPage, await api.get('/v1/records'));
  });

  it('of a store that does not answer is a problem too, and not an empty text', async () => {
    const bench = createBench();
    const down = new StoreUnavailable('Postgres is down.');
    const records = {
      ...bench.store.records,
      stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(down) }) }),
    };
    const response = await appOf({
      ...bench,
      app: { ...bench.app, store: { ...bench.store, records } },
    }).request('/v1/records?format=csv');
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ detail: 'Postgres is down.' });
  });

  it('that breaks on the way breaks the answer off, so that nobody takes it for whole', async () => {
    const bench = createBench();
    await fill(bench);
    const { store } = bench;
    const records = {
      ...store.records,
      stream: async function* (filter: Parameters<typeof store.records.stream>[0]) {
        yield* store.records.stream(filter);
        // Long enough for the server to have sent what it has.
        await setTimeout(50);
        yield* store.records.stream(filter);
        await setTimeout(50);
        throw new StoreUnavailable('Postgres is down.');
      },
    };
    const app = appOf({ ...bench, app: { ...bench.app, store: { ...store, records } } });
    const server = createServer(getRequestListener(app.fetch));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const response = await fetch(`http://127.0.0.1:${port}/v1/records?format=jsonl`);
      expect(response.status).toBe(200);
      // What comes after the first part is an end that no complete answer has.
      await expect(response.text()).rejects.toThrow('terminated');
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
