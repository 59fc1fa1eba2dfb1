import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Batch, type BatchItem, type BatchRequest, createClient } from '../../src/client/index.js';
import type { World } from '../../src/client/transport.js';
import { createApp } from '../../src/http/app.js';
import { createLogger } from '../../src/http/log.js';
import { createBench, verifyAll } from '../support/fakes/bench.js';

/** The client against the real API over fakes. `faults` are thrown before the API is reached. */
function createPair(faults: Error[] = []) {
  const bench = createBench();
  const api = createApp({
    ...{ app: bench.app, apiKey: null, tenant: 'acme', inFlight: 4, version: '0.1.0' },
    logger: createLogger('silent'),
  });
  const asked: { method: string; url: URL; type: string | null }[] = [];
  const slept: number[] = [];
  const world: World = {
    fetch: async (url, init) => {
      const type = new Headers(init.headers).get('content-type');
      asked.push({ method: init.method ?? 'GET', url: new URL(url), type });
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
      return api.request(url, init);
    },
    sleep: async (ms, signal) => {
      slept.push(ms);
      signal?.throwIfAborted();
    },
  };
  return { ...bench, asked, slept, client: createClient({ baseUrl: 'http://127.0.0.1' }, world) };
}

const texts = (...words: string[]): BatchItem[] => words.map((text) => ({ document: { text } }));

async function* arriving(items: readonly BatchItem[]): AsyncGenerator<BatchItem> {
  yield* items;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('a batch that no compiler has seen', () => {
  const items = [{ document: { text: 'a' } }, { document: { txt: 'b' } }] as never[];
  const message = 'documents[1].document must have one of text, bytes and sha256; it has "txt".';

  it('is refused with the place, from a list before anything is sent', async () => {
    const { client, asked, slept } = createPair();
    const list = { spec: 'receipt', documents: items };
    await expect(client.batches.submit(list)).rejects.toThrow(new TypeError(message));
    expect(asked).toEqual([]);
    const stream = { spec: 'receipt', documents: arriving(items) };
    await expect(client.batches.submit(stream)).rejects.toThrow(new TypeError(message));
    expect(slept).toEqual([]);
  });

  it('needs documents', async () => {
    const { client } = createPair();
    await expect(client.batches.submit({ spec: 'receipt' } as never)).rejects.toThrow(
      new TypeError('documents must be a list, or an async iterable.'),
    );
  });
});

describe('a batch of a list', () => {
  it('is handed in with everything that was said, and all of it can be read', async () => {
    const { client, ...bench } = createPair();
    verifyAll(bench);
    const stored = await client.submit({ spec: 'receipt', document: { text: 'a' } });
    const bytes = Uint8Array.from([...new TextEncoder().encode('%PDF-1.7\n'), 0, 128, 255]);
    const batch = await client.batches.submit({
      ...{ spec: 'receipt', id: 'march', name: 'March', tags: ['m'], tokens: 5_000, inFlight: 2 },
      budgets: { attemptCap: 2 },
      documents: [
        { document: { sha256: stored.documentHash }, fileName: 'a.txt' },
        { document: { bytes, mediaType: 'application/pdf' }, tags: ['scan'] },
      ],
    });
    expect(batch).toMatchObject({
      ...{ id: 'march', name: 'March', tags: ['m'], budgetTokens: 5_000, attemptCap: 2, documents: 2 },
    });
    expect((await client.batches.get('march')).spec).toBe('receipt');
    const documents = await all(client.batches.documents('march'));
    expect(documents.map(({ fileName }) => fileName)).toEqual(['a.txt', null]);
    expect(documents[0]?.documentHash).toBe(stored.documentHash);
    expect([...bench.store.documentRows.values()].map((row) => [...row.bytes])).toContainEqual([...bytes]);
  });

  it('is one batch however often its request is sent', async () => {
    const lost = [new TypeError('fetch failed'), new TypeError('fetch failed')];
    const { client, asked, slept, store } = createPair(lost);
    const { id } = await client.batches.submit({ spec: 'receipt', documents: texts('a', 'b') });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(slept).toEqual([500, 1_000]);
    expect(asked).toHaveLength(3);
    expect((await store.batches.list({}, { limit: 9 })).items).toHaveLength(1);
  });

  it('when it cannot be used, then it is refused with the place', async () => {
    const { client } = createPair();
    const documents = [...texts('a'), { document: { sha256: 'beef' } }];
    await expect(client.batches.submit({ spec: 'receipt', documents })).rejects.toMatchObject({
      status: 422,
      problem: { errors: [{ pointer: expect.stringMatching(/^\/documents\/1/) }] },
    });
  });
});

describe('a batch of documents that arrive one by one', () => {
  it('is sent as they come, whatever their number, and is the batch that was asked for', async () => {
    const { client, asked } = createPair();
    const words = Array.from({ length: 450 }, (_, at) => `text ${at}`);
    const batch = await client.batches.submit({
      ...{ spec: 'receipt', id: 'stream', tags: ['x', 'y'], tokens: 9_000 },
      documents: arriving(texts(...words)),
    });
    expect(batch).toMatchObject({ id: 'stream', documents: 450, tags: ['x', 'y'], budgetTokens: 9_000 });
    expect(asked.map(({ type }) => type)).toEqual(['application/x-ndjson']);
    const documents = await all(client.batches.documents('stream'));
    expect(new Set(documents.map(({ item }) => item)).size).toBe(450);
    // Pages of 200.
    expect(asked.filter(({ method }) => method === 'GET')).toHaveLength(3);
  });

  it('is sent once only, and under its id it goes on', async () => {
    const { client, asked, store } = createPair([new TypeError('fetch failed')]);
    const request = () => ({ spec: 'receipt', id: 'stream', documents: arriving(texts('a', 'b')) });
    await expect(client.batches.submit(request())).rejects.toThrow('No answer from http://127.0.0.1');
    expect(asked).toHaveLength(1);
    expect((await client.batches.submit(request())).documents).toBe(2);
    expect((await client.batches.submit(request())).documents).toBe(2);
    expect((await store.batches.list({}, { limit: 9 })).items).toHaveLength(1);
  });

  it('when whoever makes them fails, then so does the call, and there is no batch', async () => {
    const { client, store } = createPair();
    const documents = (async function* () {
      yield* texts('a');
      throw new Error('The disk is gone.');
    })();
    const submitted = client.batches.submit({ spec: 'receipt', documents });
    await expect(submitted).rejects.toThrow('The disk is gone.');
    expect((await store.batches.list({}, { limit: 9 })).items).toEqual([]);
  });

  it('has no bounds of single documents: the compiler says so', () => {
    expectTypeOf<{
      spec: string;
      documents: AsyncIterable<BatchItem>;
      budgets: { attemptCap: number };
    }>().not.toExtend<BatchRequest>();
  });
});

describe('waiting for a batch', () => {
  it('asks until nothing runs, and tells how it fares', async () => {
    const { client, slept, ...bench } = createPair();
    await client.batches.submit({ spec: 'receipt', id: 'march', documents: texts('a', 'b') });
    const all = ['collecting', 'running', 'stopping', 'finished'] as const;
    bench.store.batches.findNamed = states(bench.store.batches.findNamed, [...all]);
    bench.engine.standingOfBatch = async () => 'running';
    const seen: Batch['state'][] = [];
    const ended = await client.batches.wait('march', { onProgress: ({ state }) => seen.push(state) });
    expect(seen).toEqual(all);
    expect(ended).toMatchObject({ state: 'finished', documents: 2 });
    expect(slept).toEqual([2_000, 2_000, 2_000]);
  });

  it('stops with the signal', async () => {
    const { client, ...bench } = createPair();
    await client.batches.submit({ spec: 'receipt', id: 'march', documents: texts('a') });
    bench.engine.standingOfBatch = async () => 'running';
    bench.store.batches.findNamed = states(bench.store.batches.findNamed, Array(9).fill('running'));
    const gone = new AbortController();
    const onProgress = () => gone.abort(new Error('The user left.'));
    await expect(client.batches.wait('march', { signal: gone.signal, onProgress })).rejects.toThrow(
      'The user left.',
    );
  });

  it('is asked to stop, and says when it had ended before', async () => {
    const { client, ...bench } = createPair();
    verifyAll(bench);
    await client.batches.submit({ spec: 'receipt', id: 'march', documents: texts('a') });
    const { kind, id } = await client.batches.cancel('march', { runs: 'cancel' });
    expect({ kind, id }).toEqual({ kind: 'ended', id: 'march' });
    await expect(client.batches.cancel('april')).rejects.toMatchObject({ status: 404 });
  });
});

/** A batch that is said to be in these states one after the other, and then in its own. */
function states(
  find: ReturnType<typeof createBench>['store']['batches']['find'],
  next: ('collecting' | 'running' | 'stopping' | 'finished')[],
): typeof find {
  return async (id) => {
    const batch = await find(id);
    const state = next.shift();
    return batch === null || state === undefined ? batch : { ...batch, state };
  };
}
