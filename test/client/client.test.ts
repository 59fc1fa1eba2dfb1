import { describe, expect, expectTypeOf, it } from 'vitest';
import { ApiError, createClient, type Outcome } from '../../src/client/index.js';
import type { World } from '../../src/client/transport.js';
import { createApp } from '../../src/http/app.js';
import { createLogger } from '../../src/http/log.js';
import { unpackPages } from '../../src/ports/page-images.js';
import { jpeg, png } from '../adapters/pdf/documents.js';
import { createBench, exhaustAll, verifyAll } from '../support/fakes/bench.js';
import type { goodReceipt } from '../support/fakes/receipt-spec.js';

const key = '0123456789abcdef';
const text = { spec: 'receipt', document: { text: 'a' } } as const;

/** The client against the real API over fakes. `faults` are answered (or thrown) before the API is reached. */
function createPair(options: { apiKey?: string; faults?: (Response | Error)[] } = {}) {
  const bench = createBench();
  const api = createApp({
    ...{ app: bench.app, apiKey: key, tenant: 'acme', inFlight: 4, version: '0.1.0' },
    logger: createLogger('silent'),
  });
  const faults = options.faults ?? [];
  const asked: { method: string; path: string; prefer: string | null }[] = [];
  const slept: number[] = [];
  const world: World = {
    fetch: async (url, init) => {
      const headers = new Headers(init.headers);
      asked.push({
        method: init.method ?? 'GET',
        path: new URL(url).pathname,
        prefer: headers.get('prefer'),
      });
      const fault = faults.shift();
      if (fault instanceof Error) throw fault;
      return fault ?? api.request(url, init);
    },
    sleep: async (ms, signal) => {
      slept.push(ms);
      signal?.throwIfAborted();
    },
  };
  const apiKey = options.apiKey ?? key;
  return { ...bench, asked, slept, client: createClient({ baseUrl: 'http://endstop.test/', apiKey }, world) };
}

describe('extract', () => {
  it('when it ends while the server waits, then one request brings the outcome', async () => {
    const { client, asked, ...bench } = createPair();
    verifyAll(bench);
    const ended = await client.extract<typeof goodReceipt>({ ...text, fileName: 'r.txt', tags: ['march'] });
    expectTypeOf(ended.outcome).toEqualTypeOf<Outcome<typeof goodReceipt>>();
    if (ended.outcome.kind !== 'verified') throw new Error('It did not verify.');
    expect(ended.outcome.record.total).toBe('4.50');
    expect(ended).toMatchObject({ fileName: 'r.txt', tags: ['march'], tenant: 'acme' });
    expect(asked).toEqual([{ method: 'POST', path: '/v1/extractions', prefer: 'wait=20' }]);
  });

  it('when it takes longer than one request may, then it asks on until it has ended', async () => {
    const { client, asked, ...bench } = createPair();
    let polls = 0;
    bench.engine.result = async (id) => {
      polls += 1;
      if (polls === 3)
        bench.store.end(id, { outcome: 'unverified', reason: 'refusal', route: 'dead_letter' });
      return null;
    };
    const ended = await client.extract(text);
    expect(ended.outcome).toMatchObject({ kind: 'unverified', reason: 'refusal', bestEffort: null });
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
    expect(asked[2]?.path).toBe(`/v1/extractions/${ended.id}`);
  });

  it('when the connection is lost on the way, then it is taken up again, and there is one extraction', async () => {
    const faults = [new TypeError('fetch failed'), new Response('<html>bad gateway</html>', { status: 502 })];
    const { client, slept, ...bench } = createPair({ faults });
    verifyAll(bench);
    expect((await client.extract(text)).outcome.kind).toBe('verified');
    expect(slept).toEqual([500, 1_000]);
    expect(bench.store.rows).toHaveLength(1);
  });

  it('when the server says when to come again, then it is obeyed, up to half a minute', async () => {
    const busy = (after: string) => new Response('', { status: 429, headers: { 'retry-after': after } });
    const { client, slept, ...bench } = createPair({ faults: [busy('7'), busy('3600'), busy('soon')] });
    verifyAll(bench);
    await client.extract(text);
    expect(slept).toEqual([7_000, 30_000, 2_000]);
  });

  it('when the server stays away, then it gives up after six tries with what it met', async () => {
    const { client, asked } = createPair({
      faults: Array.from({ length: 9 }, () => new TypeError('fetch failed')),
    });
    await expect(client.extract(text)).rejects.toThrow(
      'No answer from http://endstop.test: is an Endstop API running there?',
    );
    expect(asked).toHaveLength(6);
  });

  it('when pages are sent, then they arrive as one document in their order', async () => {
    const { client, store } = createPair();
    const pages = [
      { bytes: new Uint8Array(png(10, 10)), mediaType: 'image/png' },
      { bytes: new Uint8Array(jpeg(20, 20)), mediaType: 'image/jpeg' },
    ];
    const { fileName } = await client.submit({ spec: 'receipt', document: { pages }, fileName: 'scan' });
    expect(fileName).toBe('scan (2 pages)');
    const [stored] = store.documentRows.values();
    expect(unpackPages(stored?.bytes ?? new Uint8Array())).toEqual(
      pages.map(({ mediaType, bytes }) => ({ mediaType, bytes })),
    );
  });

  it('when bytes are sent, then they arrive as they are with name, type and bounds', async () => {
    const { client, store, engine } = createPair();
    const every = Array.from({ length: 256 }, (_unused, value) => value);
    const bytes = Uint8Array.from([...new TextEncoder().encode('%PDF-1.7\n'), ...every]);
    const submitted = await client.submit({
      ...{ spec: 'receipt', document: { bytes, mediaType: 'application/pdf' }, fileName: 'till.pdf' },
      ...{ tenant: 'globex', tags: ['a', 'b'], budgets: { attemptCap: 2 }, redrive: true },
    });
    expect(submitted).toMatchObject({ tenant: 'globex', fileName: 'till.pdf', tags: ['a', 'b'] });
    expect(submitted.submission).toEqual({ kind: 'started', policyDiffers: false });
    expect([...store.documentRows.values()]).toEqual([{ mediaType: 'application/pdf', bytes }]);
    expect(engine.started[0]?.policy.attemptCap).toBe(2);
  });

  it('when it is aborted, then it stops at once with the reason', async () => {
    const { client, asked } = createPair({ faults: [new TypeError('fetch failed')] });
    const controller = new AbortController();
    controller.abort(new Error('The user left.'));
    await expect(client.extract(text, { signal: controller.signal })).rejects.toThrow('The user left.');
    expect(asked).toHaveLength(1);
  });
});

describe('an error of the API', () => {
  it('carries the problem, and is not tried again', async () => {
    const { client, asked } = createPair();
    const error = await client.extract({ ...text, spec: 'recipe' }).catch((thrown: unknown) => thrown);
    if (!(error instanceof ApiError)) throw error;
    expect(error.status).toBe(422);
    expect(error.problem.type).toBe('/problems/unknown-spec');
    expect(error.message).toBe('There is no spec "recipe"; known: receipt.');
    expect(asked).toHaveLength(1);
  });

  it('when the key is wrong, then it is 401', async () => {
    const { client } = createPair({ apiKey: 'fedcba9876543210' });
    await expect(client.get('00000000')).rejects.toMatchObject({ status: 401 });
  });

  it('when a proxy answers with a page, then the page is not taken for a problem', async () => {
    const { client } = createPair({
      faults: [new Response('<html>', { status: 403, statusText: 'Forbidden' })],
    });
    await expect(client.get('00000000')).rejects.toMatchObject({
      message: 'The server answered 403 without saying why.',
      problem: { type: 'about:blank', title: 'Forbidden' },
    });
  });
});

describe('a submission', () => {
  it('is carried out once, however often it is sent: under a key of its own, or the one that is given', async () => {
    const lost = new TypeError('fetch failed');
    const { client, ...bench } = createPair({ faults: [lost] });
    exhaustAll(bench, 'dead_letter');
    await client.submit({ ...text, idempotencyKey: 'order-7' });
    const again = { ...text, redrive: true, idempotencyKey: 'order-8' };
    expect([(await client.submit(again)).run, (await client.submit(again)).run]).toEqual([2, 2]);
    await expect(client.submit({ ...text, idempotencyKey: 'order-8' })).rejects.toMatchObject({
      status: 422,
      problem: { type: '/problems/idempotency-mismatch' },
    });
    expect((await client.submit({ ...text, redrive: true })).run).toBe(3);
  });

  it('when the same one is under way, then its answer is waited for', async () => {
    const busy = new Response('', { status: 409, headers: { 'retry-after': '1' } });
    const { client, slept, ...bench } = createPair({ faults: [busy] });
    verifyAll(bench);
    expect((await client.extract(text)).outcome.kind).toBe('verified');
    expect(slept).toEqual([1_000]);
  });
});

describe('a base URL', () => {
  it.each(['localhost:4680', '', 'ftp://a', 'http://'])('that is %j is refused at once', (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow('baseUrl must be a URL such as http://localhost:4680.');
  });
});

describe('the other methods', () => {
  it('read one extraction, its attempts, and cancel it', async () => {
    const { client, ...bench } = createPair();
    const { id } = await client.submit(text);
    const running = await client.get(id.slice(0, 8));
    expect(running).toMatchObject({ id, state: 'running', outcome: null });
    expect(await client.attempts(id)).toEqual({ id, run: 1, items: [] });
    expect((await client.cancel(id)).kind).toBe('requested');
    expect((await client.wait(id)).outcome).toMatchObject({ kind: 'unverified', reason: 'cancelled' });
    exhaustAll(bench, 'dead_letter');
    const other = await client.extract({ ...text, document: { text: 'b' } });
    expect((await client.attempts(other.id)).items).toHaveLength(2);
  });
});
