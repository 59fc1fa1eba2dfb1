import { describe, expect, it } from 'vitest';
import { EngineUnavailable } from '../../src/ports/engine.js';
import { verifyAll } from '../support/fakes/bench.js';
import { type Answer, createApi, problemIn, submission } from './api.js';

const path = '/v1/extractions';
const named = (key: string) => ({ 'idempotency-key': key });
const idOf = ({ body }: Answer) => (body as { id: string }).id;

describe('given an Idempotency-Key', () => {
  it('when the same request comes again, then the same answer does, however it is written', async () => {
    const api = createApi();
    const asked = submission({ tags: ['a'], budgets: { attemptCap: 2 } });
    const first = await api.post(path, asked, named('order-7'));
    const form = new FormData();
    form.set('spec', 'receipt');
    form.append('tags', 'a');
    form.set('budgets', '{"attemptCap": 2}');
    form.set('document', new Blob(['a receipt'], { type: 'text/plain' }), 'unnamed');
    expect(first.body).toMatchObject({ submission: { kind: 'started' } });
    const again = await api.post(path, asked, named('"order-7"'));
    expect({ status: again.status, body: again.body }).toEqual({ status: 202, body: first.body });
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    const other = await api.request(path, { method: 'POST', body: form, headers: named('order-7') });
    problemIn(other, 422, 'idempotency-mismatch');
  });

  it('when another body comes under it, then 422, also while the first is running, and nothing is written', async () => {
    const api = createApi();
    await api.post(path, submission(), named('order-7'));
    const other = await api.post(path, submission({ document: { text: 'b' } }), named('order-7'));
    problemIn(other, 422, 'idempotency-mismatch');
    expect(api.store.rows).toHaveLength(1);
    expect(api.store.documentRows.size).toBe(1);
  });

  it('when the first has not been answered, then 409 says when to come again', async () => {
    const api = createApi();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { put } = api.store.documents;
    api.store.documents.put = async (document) => {
      await held;
      return put(document);
    };
    const first = api.post(path, submission(), named('order-7'));
    const early = await api.post(path, submission(), named('order-7'));
    problemIn(early, 409, 'idempotency-conflict');
    expect(early.headers.get('retry-after')).toBe('1');
    release();
    expect(idOf(await api.post(path, submission(), named('order-7')))).toBe(idOf(await first));
  });

  it('when a redrive is sent twice, then it runs once', async () => {
    const api = createApi();
    const asked = submission({ redrive: true });
    api.engine.script = () => ({ outcome: 'unverified', reason: 'refusal', route: 'dead_letter' });
    await api.post(path, submission());
    const [first, second] = [
      await api.post(path, asked, named('r')),
      await api.post(path, asked, named('r')),
    ];
    expect([first.body, second.body]).toMatchObject([
      { run: 2 },
      { run: 2, submission: { kind: 'started' } },
    ]);
    expect(api.store.rows).toHaveLength(2);
  });

  it('when the request could not be used, then its key is free', async () => {
    const api = createApi();
    problemIn(await api.post(path, submission({ spec: 'recipe' }), named('k')), 422, 'unknown-spec');
    expect((await api.post(path, submission(), named('k'))).status).toBe(202);
  });

  it('when the engine went away before it started the run, then the next one has it started', async () => {
    const api = createApi();
    const { start } = api.engine;
    api.engine.start = async () => {
      throw new EngineUnavailable('No Temporal server answers.');
    };
    problemIn(await api.post(path, submission(), named('k')), 503, 'unavailable');
    api.engine.start = start;
    verifyAll(api);
    const again = await api.post(path, submission(), { ...named('k'), prefer: 'wait=1' });
    expect(again.body).toMatchObject({ outcome: { kind: 'verified' }, submission: { kind: 'started' } });
    expect(api.store.rows).toHaveLength(1);
  });

  it('when a day has passed, then it may name something else', async () => {
    const api = createApi();
    await api.post(path, submission(), named('k'));
    api.pass(24 * 3_600_000);
    const other = await api.post(path, submission({ document: { text: 'b' } }), named('k'));
    expect(other.status).toBe(202);
  });

  it.each(['', '"a', 'a"b', 'x'.repeat(256), 'a b'])(
    'when it is %j, then 400 says what it must be',
    async (key) => {
      problemIn(await createApi().post(path, submission(), named(key)), 400, 'invalid-parameter');
    },
  );
});

describe('given a document that is there already', () => {
  it('when it is named by its hash, then its bytes need not be sent again', async () => {
    const api = createApi();
    const first = await api.post(path, submission());
    const { documentHash } = first.body as { documentHash: string };
    const again = await api.post(path, submission({ document: { sha256: documentHash } }));
    expect(again.body).toMatchObject({ id: idOf(first), submission: { kind: 'attached' } });
  });

  it('when another tenant names it, then it is not there', async () => {
    const api = createApi();
    const first = await api.post(path, submission());
    const { documentHash: sha256 } = first.body as { documentHash: string };
    const answer = await api.post(path, submission({ tenant: 'globex', document: { sha256 } }));
    expect(problemIn(answer, 422, 'invalid-request').errors[0]?.pointer).toBe('/document/sha256');
  });
});

describe('given more documents than can be started', () => {
  it('then those on top are told to come back, and every other one is started', async () => {
    const api = createApi({ startsAtOnce: 2 });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { start } = api.engine;
    api.engine.start = async (input) => {
      await held;
      await start(input);
    };
    const sent = ['a', 'b', 'c', 'd'].map((text) => api.post(path, submission({ document: { text } })));
    const refused = await Promise.race(sent);
    problemIn(refused, 503, 'unavailable');
    expect(refused.headers.get('retry-after')).toBe('1');
    release();
    const statuses = (await Promise.all(sent)).map(({ status }) => status).sort();
    expect(statuses).toEqual([202, 202, 503, 503]);
    expect(api.engine.started).toHaveLength(2);
    expect((await api.post(path, submission())).status).toBe(202);
  });
});

describe('given an Idempotency-Key for a batch', () => {
  const batches = '/v1/batches';
  const asked = (...texts: readonly string[]) => ({
    ...{ spec: 'receipt', tags: ['a'] },
    documents: texts.map((text) => ({ document: { text } })),
  });
  const count = async (api: ReturnType<typeof createApi>) =>
    ((await api.get(batches)).body as { items: unknown[] }).items.length;

  it('when the same documents come again, then the same batch answers, however they are written', async () => {
    const api = createApi();
    const first = await api.post(batches, asked('a', 'b'), named('march'));
    expect(first.status).toBe(202);
    expect(idOf(await api.post(batches, asked('a', 'b'), named('march')))).toBe(idOf(first));
    const lines = ['a', 'b'].map((text) => JSON.stringify({ document: { text } })).join('\n');
    const manifest = { 'content-type': 'application/x-ndjson', ...named('march') };
    const streamed = { method: 'POST', headers: manifest, body: lines };
    expect(idOf(await api.request(`${batches}?spec=receipt&tag=a`, streamed))).toBe(idOf(first));
    expect(await count(api)).toBe(1);
  });

  it('when other documents, another spec or a submission come under it, then 422, and nothing is written', async () => {
    const api = createApi();
    await api.post(batches, asked('a', 'b'), named('march'));
    const others = [asked('a'), asked('a', 'c'), asked('b', 'a'), { ...asked('a', 'b'), tags: [] }];
    for (const other of others) {
      problemIn(await api.post(batches, other, named('march')), 422, 'idempotency-mismatch');
    }
    problemIn(await api.post(path, submission(), named('march')), 422, 'idempotency-mismatch');
    const line = { method: 'POST', body: '{"document":{"text":"z"}}' };
    const headers = { 'content-type': 'application/x-ndjson', ...named('march') };
    const streamed = await api.request(`${batches}?spec=receipt&tag=a`, { ...line, headers });
    problemIn(streamed, 422, 'idempotency-mismatch');
    expect(await count(api)).toBe(1);
    expect(api.store.documentRows.size).toBe(2);
  });

  it('when a submission had the key before, then 422', async () => {
    const api = createApi();
    await api.post(path, submission(), named('march'));
    problemIn(await api.post(batches, asked('a'), named('march')), 422, 'idempotency-mismatch');
  });

  it('when six come at once, then one is taken in, the others 409, and it is one batch', async () => {
    const api = createApi();
    const six = Array.from({ length: 6 }, () => api.post(batches, asked('a', 'b'), named('march')));
    const answers = await Promise.all(six);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(5).fill(409)]);
    expect(await count(api)).toBe(1);
    expect((await api.post(batches, asked('a', 'b'), named('march'))).status).toBe(202);
    expect(await count(api)).toBe(1);
  });

  it('when one was refused, then the key is free, and after a day it names another batch', async () => {
    const api = createApi();
    problemIn(
      await api.post(batches, { ...asked('a'), spec: 'none' }, named('march')),
      ...([422, 'unknown-spec'] as const),
    );
    const first = await api.post(batches, asked('a'), named('march'));
    api.pass(24 * 3_600_000);
    const next = await api.post(batches, asked('b'), named('march'));
    expect(next.status).toBe(202);
    expect(idOf(next)).not.toBe(idOf(first));
  });

  it('when the batch was cancelled, then sending it again does not begin it anew', async () => {
    const api = createApi();
    const first = await api.post(batches, asked('a'), named('march'));
    await api.store.batches.note(idOf(first), 'cancelled', 1, 0);
    const again = await api.post(batches, asked('a'), named('march'));
    expect(again.body).toMatchObject({ id: idOf(first), state: 'cancelled' });
  });
});

describe('given an Idempotency-Key where none is heeded', () => {
  it.each([
    ['POST', '/v1/dead-letters/redrive'],
    ['POST', '/v1/audits'],
    ['POST', '/v1/webhooks'],
    ['POST', '/v1/batches/x/cancel'],
    ['PUT', '/v1/tenants/acme/limits'],
    ['GET', '/v1/extractions'],
  ])('%s %s is refused rather than carried out', async (method, at) => {
    const headers = { 'content-type': 'application/json', ...named('k') };
    const body = method === 'GET' ? {} : { body: '{}' };
    const answer = await createApi().request(at, { method, headers, ...body });
    problemIn(answer, 400, 'idempotency-unsupported');
  });

  it('is described where it is heeded, and nowhere else', async () => {
    const { paths } = (await createApi().get('/openapi.json')).body as { paths: Record<string, object> };
    const heeds = Object.entries(paths).flatMap(([at, methods]) =>
      Object.entries(methods as Record<string, { parameters?: { name: string }[] }>)
        .filter(([, { parameters = [] }]) => parameters.some(({ name }) => name === 'idempotency-key'))
        .map(([method]) => `${method} ${at}`),
    );
    expect(heeds.sort()).toEqual(['post /v1/batches', 'post /v1/extractions']);
  });
});
