import { describe, expect, it } from 'vitest';
import { AttemptList } from '../../src/http/schemas/attempt.js';
import {
  Cancelling,
  Extraction,
  ExtractionPage,
  SubmittedExtraction,
} from '../../src/http/schemas/extraction.js';
import { EngineUnavailable } from '../../src/ports/engine.js';
import { exhaustAll, storedRecord, verifyAll } from '../support/fakes/bench.js';
import { goodReceipt } from '../support/fakes/receipt-spec.js';
import { linkOf } from '../support/fakes/scripted-engine.js';
import { type Api, conforms, createApi, problemIn, submission } from './api.js';

const nothingWritten = ({ store }: Api) => {
  expect(store.rows).toEqual([]);
  expect(store.documentRows.size).toBe(0);
};

describe('POST /v1/extractions', () => {
  it('when it is started, then 202 says where and when to ask', async () => {
    const api = createApi();
    const answer = await api.post('/v1/extractions', submission({ tags: ['march'], fileName: 'r.txt' }));
    expect(answer.status).toBe(202);
    const body = conforms(SubmittedExtraction, answer);
    expect(answer.headers.get('location')).toBe(`/v1/extractions/${body.id}`);
    expect(answer.headers.get('retry-after')).toBe('3');
    expect(body).toMatchObject({
      state: 'running',
      outcome: null,
      tenant: 'acme',
      fileName: 'r.txt',
      tags: ['march'],
      engineUrl: linkOf(body.id),
      submission: { kind: 'started', policyDiffers: false },
    });
  });

  it('when the caller prefers to wait and it ends in time, then 200 has the outcome', async () => {
    const api = createApi();
    verifyAll(api);
    const answer = await api.post('/v1/extractions', submission(), { prefer: 'respond-async, wait=20' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('preference-applied')).toBe('wait=20');
    expect(conforms(SubmittedExtraction, answer).outcome).toEqual({
      kind: 'verified',
      record: goodReceipt,
      attempts: 1,
      verifierVersion: 'receipt@1',
      normalisations: [],
      tokens: 900,
    });
  });

  it('when it does not end in time, then it is 202 all the same, and no wait is longer than a minute', async () => {
    const api = createApi();
    const waits: number[] = [];
    api.engine.result = async (_key, timeoutMs) => {
      waits.push(timeoutMs);
      return null;
    };
    const answer = await api.post('/v1/extractions', submission(), { prefer: 'wait=3600' });
    expect(answer.status).toBe(202);
    expect(answer.headers.get('preference-applied')).toBe('wait=60');
    expect(waits).toEqual([60_000]);
  });

  it('when it is exhausted, then that is a result: 200 with why', async () => {
    const api = createApi();
    exhaustAll(api, 'human_review');
    const answer = await api.post('/v1/extractions', submission(), { prefer: 'wait=1' });
    expect(answer.status).toBe(200);
    expect(conforms(SubmittedExtraction, answer).outcome).toMatchObject({
      kind: 'unverified',
      reason: 'no_progress',
      route: 'human_review',
      unmet: [{ rule: 'sum', pointer: '/total' }],
    });
  });

  it('when the same bytes come again, then they are the same extraction', async () => {
    const api = createApi();
    const first = await api.post('/v1/extractions', submission());
    const again = await api.post('/v1/extractions', submission({ budgets: { attemptCap: 1 } }));
    expect(again.status).toBe(202);
    expect(conforms(SubmittedExtraction, again)).toMatchObject({
      id: conforms(SubmittedExtraction, first).id,
      submission: { kind: 'attached', policyDiffers: true },
    });
    expect(api.store.rows).toHaveLength(1);
  });

  it('when bytes come in base64, then they are stored as they are, under the type they claim', async () => {
    const api = createApi();
    const bytes = Uint8Array.from({ length: 256 }, (_unused, value) => value);
    const base64 = Buffer.from(bytes).toString('base64');
    const answer = await api.post(
      '/v1/extractions',
      submission({ document: { base64, mediaType: 'application/pdf' } }),
    );
    expect(answer.status).toBe(202);
    const [stored] = api.store.documentRows.values();
    expect(stored).toEqual({ mediaType: 'application/pdf', bytes });
  });

  it('when a form with a file comes, then its name, type and bytes are used', async () => {
    const api = createApi();
    const form = new FormData();
    form.set('spec', 'receipt');
    form.append('tags', 'march');
    form.append('tags', 'till 4');
    form.set('budgets', '{"attemptCap": 2}');
    form.set('document', new File(['%PDF-1.7 …'], 'till.pdf', { type: 'application/octet-stream' }));
    const answer = await api.request('/v1/extractions', { method: 'POST', body: form });
    expect(answer.status).toBe(202);
    expect(conforms(SubmittedExtraction, answer)).toMatchObject({
      fileName: 'till.pdf',
      tags: ['march', 'till 4'],
    });
    expect([...api.store.documentRows.values()][0]?.mediaType).toBe('application/pdf');
    expect(api.engine.started[0]?.policy.attemptCap).toBe(2);
  });

  it.each<[string, Record<string, string | File>, string]>([
    ['has no file', { spec: 'receipt' }, '/document'],
    ['has a text for its file', { spec: 'receipt', document: 'text' }, '/document'],
    ['has no spec', { document: new File(['a'], 'a.txt') }, '/spec'],
    [
      'has budgets that are no JSON',
      { spec: 'receipt', budgets: 'few', document: new File(['a'], 'a.txt') },
      '/budgets',
    ],
    ['has an unknown field', { spec: 'receipt', speck: 'x', document: new File(['a'], 'a.txt') }, ''],
  ])('when a form %s, then 422 points at it', async (_what, fields, pointer) => {
    const api = createApi();
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const answer = await api.request('/v1/extractions', { method: 'POST', body: form });
    expect(problemIn(answer, 422, 'invalid-request').errors[0]?.pointer).toBe(pointer);
    nothingWritten(api);
  });

  it.each<[string, object, string]>([
    ['no spec', { document: { text: 'a' } }, '/spec'],
    ['no document', { spec: 'receipt' }, '/document'],
    ['a document of no kind', submission({ document: {} }), '/document/text'],
    ['bytes without a type', submission({ document: { base64: 'AAAA' } }), '/document/mediaType'],
    [
      'bytes that are no base64',
      submission({ document: { base64: '***', mediaType: 'a/b' } }),
      '/document/base64',
    ],
    ['a field that is not known', submission({ document: { text: 'a', lang: 'en' } }), '/document'],
    ['a tag that is no text', submission({ tags: ['a', 7] }), '/tags/1'],
    ['a tag that cannot be shown', submission({ tags: ['a', 'b\u0000'] }), '/tags/1'],
    ['a tenant with a slash', submission({ tenant: 'a/b' }), '/tenant'],
    [
      'a media type with parameters',
      submission({ document: { base64: '', mediaType: 'a/b; c=d' } }),
      '/document/mediaType',
    ],
    ['budgets that are no numbers', submission({ budgets: { attemptCap: 'two' } }), '/budgets/attemptCap'],
  ])('when the body has %s, then 422 points at it and nothing is written', async (_what, body, pointer) => {
    const api = createApi();
    const problem = problemIn(await api.post('/v1/extractions', body), 422, 'invalid-request');
    expect(problem.errors.map((fault) => fault.pointer)).toContain(pointer);
    nothingWritten(api);
  });

  it('when the spec or a budget cannot be had, then the problem has a type of its own', async () => {
    const api = createApi();
    problemIn(await api.post('/v1/extractions', submission({ spec: 'recipe' })), 422, 'unknown-spec');
    const looser = problemIn(
      await api.post('/v1/extractions', submission({ budgets: { attemptCap: 4 } })),
      422,
      'budget-exceeds-spec',
    );
    expect(looser.errors).toEqual([
      { pointer: '/budgets/attemptCap', detail: "attemptCap 4 is above the spec's 3." },
    ]);
    nothingWritten(api);
  });

  it('when the body is no JSON, then 400 says so without repeating it', async () => {
    const api = createApi();
    const answer = await api.request('/v1/extractions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"document": patient Ada Lovelace}',
    });
    expect(JSON.stringify(problemIn(answer, 400, 'malformed-body'))).not.toContain('Lovelace');
  });

  it.each([
    ['another type', { 'content-type': 'text/plain' }, 'a'],
    ['no type', {}, new TextEncoder().encode('a')],
    ['no type and no body', {}, undefined],
  ])('when the body has %s, then 415 says which it takes', async (_what, headers, body) => {
    const init = { method: 'POST', headers, ...(body === undefined ? {} : { body }) };
    problemIn(await createApi().request('/v1/extractions', init), 415, 'unsupported-media-type');
  });

  it('when the body is over 32 MiB, then 413 says so and nothing is written', async () => {
    const api = createApi();
    const text = 'a'.repeat(32 * 1024 * 1024);
    problemIn(await api.post('/v1/extractions', submission({ document: { text } })), 413, 'too-large');
    nothingWritten(api);
  });

  it('when the engine is down, then 503 asks to come again and nothing is written', async () => {
    const api = createApi();
    api.engine.down = true;
    const answer = await api.post('/v1/extractions', submission());
    problemIn(answer, 503, 'unavailable');
    expect(answer.headers.get('retry-after')).toBe('5');
    nothingWritten(api);
  });
});

describe('GET /v1/extractions', () => {
  it('when there are more than fit, then a cursor leads through all of them, the newest first', async () => {
    const api = createApi();
    for (const text of ['a', 'b', 'c'])
      await api.post('/v1/extractions', submission({ document: { text }, fileName: text }));
    const first = conforms(ExtractionPage, await api.get('/v1/extractions?limit=2'));
    expect(first.items.map(({ fileName }) => fileName)).toEqual(['c', 'b']);
    const second = conforms(
      ExtractionPage,
      await api.get(`/v1/extractions?limit=2&cursor=${first.nextCursor}`),
    );
    expect(second.items.map(({ fileName }) => fileName)).toEqual(['a']);
    expect(second.nextCursor).toBeNull();
  });

  it('when it filters, then only those are there', async () => {
    const api = createApi();
    await api.post('/v1/extractions', submission({ document: { text: 'runs' }, tags: ['a'] }));
    verifyAll(api);
    await api.post('/v1/extractions', submission({ document: { text: 'ended' }, tags: ['b'] }));
    const count = async (query: string) =>
      conforms(ExtractionPage, await api.get(`/v1/extractions?${query}`)).items.length;
    expect(await count('state=running')).toBe(1);
    expect(await count('outcome=verified&spec=receipt&tenant=acme&tag=b')).toBe(1);
    expect(await count('tenant=globex')).toBe(0);
    expect(await count('reason=refusal')).toBe(0);
  });

  it.each(['limit=0', 'limit=201', 'limit=ten', 'outcome=fine', 'reason=bad', 'state=open'])(
    'when the query is %s, then 400 points at it',
    async (query) => {
      const problem = problemIn(await createApi().get(`/v1/extractions?${query}`), 400, 'invalid-parameter');
      expect(problem.errors[0]?.pointer).toBe(`/${query.split('=')[0]}`);
    },
  );

  it('when the cursor is none of ours, then 400 says so', async () => {
    problemIn(await createApi().get('/v1/extractions?cursor=x'), 400, 'bad-cursor');
  });
});

describe('GET /v1/extractions/{id}', () => {
  const started = async () => {
    const api = createApi();
    const { id } = conforms(SubmittedExtraction, await api.post('/v1/extractions', submission()));
    return { api, id };
  };

  it('when it is found by the beginning of its id, then it is whole, and Retry-After while it runs', async () => {
    const { api, id } = await started();
    const answer = await api.get(`/v1/extractions/${id.slice(0, 8)}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('retry-after')).toBe('3');
    expect(conforms(Extraction, answer)).toMatchObject({ id, state: 'running', outcome: null });
  });

  it('when the caller prefers to wait, then the answer is held until it has ended', async () => {
    const { api, id } = await started();
    api.engine.result = async () => {
      api.store.end(id, {
        outcome: 'unverified',
        reason: 'refusal',
        failureClass: 'refusal',
        route: 'dead_letter',
      });
      return null;
    };
    const answer = await api.get(`/v1/extractions/${id}`, { prefer: 'wait=5' });
    expect(conforms(Extraction, answer).outcome).toMatchObject({
      kind: 'unverified',
      reason: 'refusal',
      bestEffort: null,
    });
    expect(answer.headers.get('retry-after')).toBeNull();
  });

  it('when a person made a record, then it is linked', async () => {
    const { api, id } = await started();
    const row = api.store.end(id, { outcome: 'unverified', reason: 'no_progress', route: 'human_review' });
    api.store.recordRows.push(storedRecord(row, 'human_verified', goodReceipt));
    const view = conforms(Extraction, await api.get(`/v1/extractions/${id}`));
    expect(view.humanRecord).toMatchObject({ verificationStatus: 'human_verified', record: goodReceipt });
    expect(view.outcome?.kind).toBe('unverified');
  });

  it('when there is none, or the id is no id, then 404 or 400', async () => {
    const { api, id } = await started();
    problemIn(await api.get('/v1/extractions/00000000'), 404, 'not-found');
    problemIn(await api.get(`/v1/extractions/${id}?run=2`), 404, 'not-found');
    problemIn(await api.get('/v1/extractions/1234567'), 400, 'invalid-parameter');
    problemIn(await api.get(`/v1/extractions/${id.slice(0, 7)}%25`), 400, 'invalid-parameter');
  });

  it('when its record is no longer kept, then 410', async () => {
    const { api, id } = await started();
    api.store.end(id, { outcome: 'verified' });
    problemIn(await api.get(`/v1/extractions/${id}`), 410, 'gone');
  });
});

describe('GET /v1/extractions/{id}/attempts', () => {
  it('then every attempt is there with class, problems, ceiling, tokens, calls and time', async () => {
    const api = createApi();
    exhaustAll(api, 'dead_letter');
    const { id } = conforms(SubmittedExtraction, await api.post('/v1/extractions', submission()));
    const list = conforms(AttemptList, await api.get(`/v1/extractions/${id}/attempts`));
    expect(list).toMatchObject({ id, run: 1 });
    expect(list.items).toHaveLength(2);
    expect(list.items[1]).toMatchObject({
      attempt: 2,
      lane: 'repair',
      result: 'rejected',
      failureClass: 'constraint',
      problems: [{ rule: 'sum', pointer: '/total' }],
      maxTokens: 1500,
      tokens: 900,
      durationMs: 1234,
    });
  });
});

describe('POST /v1/extractions/{id}/cancel', () => {
  it('when it runs, then 202; when it has ended, then 200', async () => {
    const api = createApi();
    const { id } = conforms(SubmittedExtraction, await api.post('/v1/extractions', submission()));
    const cancel = () => api.request(`/v1/extractions/${id}/cancel`, { method: 'POST' });
    const first = await cancel();
    expect(first.status).toBe(202);
    expect(conforms(Cancelling, first).kind).toBe('requested');
    const second = await cancel();
    expect(second.status).toBe(200);
    expect(conforms(Cancelling, second)).toMatchObject({
      kind: 'ended',
      extraction: { reason: 'cancelled' },
    });
  });

  it('when the engine goes away meanwhile, then 503', async () => {
    const api = createApi();
    const { id } = conforms(SubmittedExtraction, await api.post('/v1/extractions', submission()));
    api.engine.cancel = async () => {
      throw new EngineUnavailable('No Temporal server answers.');
    };
    problemIn(await api.request(`/v1/extractions/${id}/cancel`, { method: 'POST' }), 503, 'unavailable');
  });
});
