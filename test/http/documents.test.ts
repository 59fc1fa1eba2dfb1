import { describe, expect, it } from 'vitest';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { ErasedDocument } from '../../src/http/schemas/document.js';
import { ExtractionPage } from '../../src/http/schemas/extraction.js';
import { textSubmission, verifyAll } from '../support/fakes/bench.js';
import { conforms, createApi, problemIn } from './api.js';

async function submitted() {
  const api = createApi();
  verifyAll(api);
  const { extraction } = await submitExtraction(api.app, textSubmission('a'));
  const erase = (query = '') =>
    api.request(`/v1/documents/${extraction.documentHash}${query}`, { method: 'DELETE' });
  return { api, extraction, erase };
}

describe('DELETE /v1/documents/{hash}', () => {
  it('erases and says what went; again, and nothing was left', async () => {
    const { api, extraction, erase } = await submitted();
    const first = conforms(ErasedDocument, await erase());
    expect(first).toMatchObject({
      ...{ tenant: 'acme', documentHash: extraction.documentHash },
      ...{ bytes: true, extractions: 1, records: 1, reviews: 0, alsoHeldBy: [] },
    });
    expect(conforms(ErasedDocument, await erase('?tenant=acme'))).toEqual({
      ...first,
      ...{ bytes: false, extractions: 0, records: 0 },
    });
    expect(api.store.documentRows.size).toBe(0);
  });

  it('makes the extraction gone; the list shows it as erased, and its attempts can be counted', async () => {
    const { api, extraction, erase } = await submitted();
    await erase();
    const problem = problemIn(await api.get(`/v1/extractions/${extraction.key}`), 410, 'gone');
    expect(problem.detail).toMatch(/ended verified; it was erased on .*, and only its counts are left\.$/);
    const { items } = conforms(ExtractionPage, await api.get('/v1/extractions'));
    expect(items).toMatchObject([{ fileName: null, erasedAt: expect.stringMatching(/^2026-03-01T/) }]);
    expect((await api.get(`/v1/extractions/${extraction.key}/attempts`)).status).toBe(200);
    expect((await api.get('/v1/records')).body).toMatchObject({ items: [] });
  });

  it('makes one that ran meanwhile gone as well, once it has ended', async () => {
    const api = createApi();
    const { extraction } = await submitExtraction(api.app, textSubmission('a'));
    await api.request(`/v1/documents/${extraction.documentHash}`, { method: 'DELETE' });
    expect((await api.get(`/v1/extractions/${extraction.key}`)).status).toBe(200);
    const diagnosis = { kind: 'unreadable', fault: 'missing' } as const;
    api.store.end(extraction.key, { outcome: 'unverified', reason: 'unreadable_document', diagnosis });
    problemIn(await api.get(`/v1/extractions/${extraction.key}`), 410, 'gone');
  });

  it('of another tenant, or of none, is the same answer', async () => {
    const { api, erase } = await submitted();
    const { requestId: _mine, detail, ...other } = problemIn(await erase('?tenant=bolt'), 404, 'not-found');
    const hash = 'a'.repeat(64);
    const nothing = await api.request(`/v1/documents/${hash}?tenant=bolt`, { method: 'DELETE' });
    const { requestId: _theirs, detail: said, ...none } = problemIn(nothing, 404, 'not-found');
    expect(none).toEqual(other);
    expect(said.replace(hash, '')).toBe(detail.replace(/[0-9a-f]{64}/, ''));
    expect(api.store.recordRows).toHaveLength(1);
  });

  it('takes a whole hash only, never the id of an extraction', async () => {
    const { api, extraction } = await submitted();
    const erase = (name: string) => api.request(`/v1/documents/${name}`, { method: 'DELETE' });
    problemIn(await erase(extraction.documentHash.slice(0, 12)), 400, 'invalid-parameter');
    problemIn(await erase(extraction.key), 404, 'not-found');
    problemIn(await api.get(`/v1/documents/${extraction.documentHash}`), 405, 'method-not-allowed');
    expect(api.store.documentRows.size).toBe(1);
  });
});
