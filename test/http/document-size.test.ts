import { describe, expect, it } from 'vitest';
import { createApi, problemIn } from './api.js';

describe('given a document over 20 MiB', () => {
  const most = 20 * 1024 * 1024;
  const json = (document: object) => (api: ReturnType<typeof createApi>) =>
    api.post('/v1/extractions', { spec: 'receipt', document });
  const form = (name: 'document' | 'page', type: string, bytes: Uint8Array<ArrayBuffer>) => {
    const body = new FormData();
    body.set('spec', 'receipt');
    body.append(name, new Blob([bytes], { type }), 'large');
    return (api: ReturnType<typeof createApi>) => api.request('/v1/extractions', { method: 'POST', body });
  };
  const zeros = new Uint8Array(most + 1);
  const base64 = Buffer.alloc(most + 1).toString('base64');
  const line = `{"document":{"text":"${'a'.repeat(most + 1)}"}}`;

  it.each([
    ['as text', json({ text: 'é'.repeat(most / 2 + 1) })],
    ['in base64', json({ base64, mediaType: 'application/pdf' })],
    ['as a file of a form', form('document', 'application/pdf', zeros)],
    [
      'in a batch',
      (api: ReturnType<typeof createApi>) =>
        api.post('/v1/batches', {
          spec: 'receipt',
          documents: [{ document: { text: 'a' } }, { document: { base64, mediaType: 'text/plain' } }],
        }),
    ],
    [
      'in a manifest',
      (api: ReturnType<typeof createApi>) =>
        api.request('/v1/batches?spec=receipt', {
          ...{ method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: line },
        }),
    ],
  ])('when it comes %s, then 413, and nothing of it is stored', async (_how, send) => {
    const api = createApi();
    const { errors } = problemIn(await send(api), 413, 'document-too-large');
    expect(errors[0]?.pointer).toMatch(/^\/document/);
    expect(api.store.documentRows.size).toBe(0);
    expect(api.store.rows).toEqual([]);
    expect(api.engine.started).toEqual([]);
  });

  it('when it has exactly 20 MiB, then it is taken', async () => {
    expect((await json({ text: 'a'.repeat(most) })(createApi())).status).toBe(202);
  });
});
