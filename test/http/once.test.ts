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
