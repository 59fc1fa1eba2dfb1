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
  return {
    ...bench,
    asked,
    slept,
    faults,
    client: createClient({ baseUrl: 'http://endstop.test/', apiKey }, world),
  };
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

  const refused = () =>
    new TypeError('fetch failed', { cause: Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }) });

  it('when nobody listens there, then it says so at once', async () => {
    const { client, asked } = createPair({ faults: [refused()] });
    await expect(client.extract(text)).rejects.toThrow('No answer from http://endstop.test: is an');
    expect(asked).toHaveLength(1);
  });

  it('when a server that answered is started again, then it is waited for', async () => {
    const { client, asked, ...bench } = createPair({ faults: [] });
    verifyAll(bench);
    await client.submit({ ...text, document: { text: 'b' } });
    bench.faults.push(refused(), refused());
    expect((await client.extract(text)).outcome.kind).toBe('verified');
    expect(asked).toHaveLength(4);
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

describe('a request that no compiler has seen', () => {
  const bytes = new Uint8Array([1]);
  const kinds = 'document must have one of text, bytes, pages and sha256';
  it.each([
    [undefined, `${kinds}; it is undefined.`],
    ['Claim number: CL-1', `${kinds}; it is a string.`],
    [{}, `${kinds}; it has nothing.`],
    [{ txt: 'x' }, `${kinds}; it has "txt".`],
    [{ text: 'x', bytes, mediaType: 'text/plain' }, `${kinds}; it has "text", "bytes", "mediaType".`],
    [{ text: undefined }, 'document.text must be a text; it is undefined.'],
    [{ sha256: bytes }, 'document.sha256 must be a text; it is an object.'],
    [{ bytes: 'x', mediaType: 'text/plain' }, 'document.bytes must be a Uint8Array; it is a string.'],
    [{ bytes }, 'document.mediaType must be a text such as "application/pdf"; it is undefined.'],
    [{ pages: bytes }, 'document.pages must be a list; it is an object.'],
    [
      { pages: [{ bytes, mediaType: 'image/png' }, {}] },
      'document.pages[1].bytes must be a Uint8Array; it is undefined.',
    ],
  ])('%j is refused before anything is sent', async (document, message) => {
    const { client, asked } = createPair();
    const request = { spec: 'receipt', document } as never;
    await expect(client.extract(request)).rejects.toThrow(new TypeError(message));
    await expect(client.submit(request)).rejects.toThrow(new TypeError(message));
    expect(asked).toEqual([]);
  });

  it('when it names what the API does not know, then that is refused for bytes as for text', async () => {
    const { client } = createPair();
    const documents = [{ text: 'a' }, { bytes, mediaType: 'text/plain' }];
    for (const document of documents) {
      const request = { spec: 'receipt', document, filename: 'a.txt' } as never;
      await expect(client.submit(request)).rejects.toThrow('filename');
    }
  });

  it('when the spec is missing, then none is made up', async () => {
    const { client } = createPair();
    const request = { document: { bytes, mediaType: 'text/plain' } } as never;
    await expect(client.submit(request)).rejects.toThrow('/spec');
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

  it.each([
    ['a page that refuses', new Response('<html>', { status: 403, statusText: 'Forbidden' }), 'Forbidden'],
    ['a page that welcomes', new Response('<html>', { status: 200, statusText: 'OK' }), 'OK'],
    ['JSON of something else', Response.json({ hello: 1 }, { status: 200, statusText: 'OK' }), 'OK'],
  ])(
    'when another server answers with %s, then it is said which, and nothing is tried again',
    async (_, fault, title) => {
      const { client, asked } = createPair({ faults: [fault] });
      await expect(client.extract(text)).rejects.toMatchObject({
        name: 'ApiError',
        message: `http://endstop.test does not answer as an Endstop API (${fault.status}): check the base URL, and proxies before it.`,
        problem: { type: 'about:blank', title },
      });
      expect(asked).toHaveLength(1);
    },
  );
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
