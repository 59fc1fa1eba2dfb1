import { describe, expect, it } from 'vitest';
import { addWebhook } from '../../src/application/webhooks.js';
import { type Api, createApi, problemIn, submission } from './api.js';

const webhookUrl = 'https://receiver.example/hook?key=1';

/** An API over a store that has a secret to sign for named URLs with. */
async function withSecret(): Promise<Api> {
  const api = createApi();
  await addWebhook(api.store, { url: null, tenant: null, allowPrivate: false, now: api.app.now() });
  return api;
}

describe('given a submission that names a URL to tell', () => {
  it('when it comes as JSON, then the URL is told of everything about the document', async () => {
    const api = await withSecret();
    const answer = await api.post('/v1/extractions', submission({ webhookUrl }));
    expect(answer.status).toBe(202);
    expect([...api.store.webhooks.named]).toEqual([`${api.store.rows[0]?.subject} ${webhookUrl}`]);
    // What a URL holds is between its receiver and us.
    expect(JSON.stringify(answer.body)).not.toContain('receiver.example');
    expect(api.log.join('')).not.toContain('receiver.example');
  });

  it('when it comes as a form, then too', async () => {
    const api = await withSecret();
    const body = new FormData();
    body.set('spec', 'receipt');
    body.set('webhookUrl', webhookUrl);
    body.set('document', new Blob(['a receipt'], { type: 'text/plain' }), 'receipt.txt');
    expect((await api.request('/v1/extractions', { method: 'POST', body })).status).toBe(202);
    expect([...api.store.webhooks.named]).toEqual([`${api.store.rows[0]?.subject} ${webhookUrl}`]);
  });

  it.each([
    'http://receiver.example/',
    'https://127.0.0.1/',
    'https://user:hunter2@receiver.example/',
    'hook',
  ])('when it is one that cannot be used (%s), then nothing is written', async (url) => {
    const api = await withSecret();
    const answer = await api.post('/v1/extractions', submission({ webhookUrl: url }));
    const { errors } = problemIn(answer, 422, 'invalid-request');
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/webhookUrl']);
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
    expect([api.store.rows.length, api.store.documentRows.size]).toEqual([0, 0]);
  });

  it('when nothing signs, then it says how to mend that', async () => {
    const api = createApi();
    const answer = await api.post('/v1/extractions', submission({ webhookUrl }));
    const { errors } = problemIn(answer, 422, 'invalid-request');
    expect(errors[0]?.detail).toContain('endstop webhooks add --per-extraction');
    expect(api.store.rows).toEqual([]);
  });
});
