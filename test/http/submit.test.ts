import { describe, expect, it } from 'vitest';
import { SubmittedExtraction } from '../../src/http/schemas/extraction.js';
import { pagesMediaType, unpackPages } from '../../src/ports/page-images.js';
import { jpeg, png } from '../adapters/pdf/documents.js';
import { exhaustAll, verifyAll } from '../support/fakes/bench.js';
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
    const bytes = Buffer.concat([
      Buffer.from('%PDF-1.7'),
      Uint8Array.from({ length: 256 }, (_unused, value) => value),
    ]);
    const base64 = Buffer.from(bytes).toString('base64');
    const answer = await api.post(
      '/v1/extractions',
      submission({ document: { base64, mediaType: 'application/pdf' } }),
    );
    expect(answer.status).toBe(202);
    const [stored] = api.store.documentRows.values();
    expect(stored).toEqual({ mediaType: 'application/pdf', bytes: new Uint8Array(bytes) });
  });

  it('when bytes are not what they are said to be, then 415 says what they are and nothing is written', async () => {
    const api = createApi();
    const sent = (mediaType: string) =>
      submission({ document: { base64: Buffer.from(png(10, 10)).toString('base64'), mediaType } });
    const problem = problemIn(
      await api.post('/v1/extractions', sent('application/pdf')),
      415,
      'media-type-mismatch',
    );
    expect(problem.detail).toContain('but its bytes are those of a PNG image');
    expect(problem.errors[0]?.pointer).toBe('/document/mediaType');
    nothingWritten(api);
    expect((await api.post('/v1/extractions', sent('application/octet-stream'))).status).toBe(202);
    expect([...api.store.documentRows.values()][0]?.mediaType).toBe('image/png');
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

  it('when a form with several pages comes, then they are one document in their order', async () => {
    const api = createApi();
    const form = new FormData();
    form.set('spec', 'receipt');
    form.append('page', new File([png(10, 10)], 'b.png', { type: 'image/png' }));
    form.append('page', new File([jpeg(20, 20)], 'a.jpg', { type: 'application/octet-stream' }));
    const answer = await api.request('/v1/extractions', { method: 'POST', body: form });
    expect(answer.status).toBe(202);
    expect(conforms(SubmittedExtraction, answer)).toMatchObject({ fileName: 'b.png (2 pages)' });
    const [stored] = api.store.documentRows.values();
    expect(stored?.mediaType).toBe(pagesMediaType);
    expect(unpackPages(stored?.bytes ?? new Uint8Array())).toEqual([
      { mediaType: 'image/png', bytes: png(10, 10) },
      { mediaType: 'image/jpeg', bytes: jpeg(20, 20) },
    ]);
  });

  it.each<[string, Record<string, string | File>, string]>([
    ['has a text for a page', { spec: 'receipt', page: 'text' }, '/page'],
    ['has a PDF for a page', { spec: 'receipt', page: new File(['%PDF-1.7'], 'a.pdf') }, '/page'],
    [
      'has a document and a page',
      { spec: 'receipt', document: new File(['a'], 'a.txt'), page: new File([png(1, 1)], 'a.png') },
      '/document',
    ],
    ['has no file', { spec: 'receipt' }, '/document'],
    ['has a text for its file', { spec: 'receipt', document: 'text' }, '/document'],
    ['has no spec', { document: new File(['a'], 'a.txt') }, '/spec'],
    [
      'has budgets that are no JSON',
      { spec: 'receipt', budgets: 'few', document: new File(['a'], 'a.txt') },
      '/budgets',
    ],
    [
      'has a budget twice',
      {
        ...{ spec: 'receipt', document: new File(['a'], 'a.txt') },
        budgets: '{"attemptCap": 1, "attemptCap": 2}',
      },
      '/budgets',
    ],
    ['has an unknown field', { spec: 'receipt', speck: 'x', document: new File(['a'], 'a.txt') }, '/speck'],
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
    ['a document of no kind', submission({ document: {} }), '/document'],
    ['bytes without a type', submission({ document: { base64: 'AAAA' } }), '/document/mediaType'],
    [
      'bytes that are no base64',
      submission({ document: { base64: '***', mediaType: 'a/b' } }),
      '/document/base64',
    ],
    ['a field that is not known', submission({ document: { text: 'a', lang: 'en' } }), '/document/lang'],
    ['a tag that is no text', submission({ tags: ['a', 7] }), '/tags/1'],
    ['a tag that cannot be shown', submission({ tags: ['a', 'b\u0007'] }), '/tags/1'],
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
