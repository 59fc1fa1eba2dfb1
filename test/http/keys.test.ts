import { describe, expect, it } from 'vitest';
import { createKey, createKeyring, revokeKey } from '../../src/application/api-keys.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import type { Role } from '../../src/domain/principal.js';
import { exhaustAll, textSubmission } from '../support/fakes/bench.js';
import { type Api, createApi, problemIn, submission } from './api.js';

async function keyed(api: Api, roles: readonly Role[], tenant: string | null = 'acme', name = 'ci') {
  const { secret, key } = await createKey(api.app, { name, tenant, roles });
  return { key, secret, headers: { authorization: `Bearer ${secret}` } };
}

describe('given a stored key', () => {
  it('when its secret is sent, then it opens what its role covers and nothing else', async () => {
    const api = createApi();
    const { headers } = await keyed(api, ['read']);
    expect((await api.get('/v1/extractions', headers)).status).toBe(200);
    const refused = problemIn(await api.post('/v1/extractions', submission(), headers), 403, 'forbidden');
    expect(refused.detail).toBe('This needs the role "submit"; the key "ci" has read.');
    problemIn(await api.get('/v1/reviews/queue', headers), 403, 'forbidden');
    problemIn(await api.get('/v1/webhooks', headers), 403, 'forbidden');
    expect(api.store.rows).toEqual([]);
  });

  it('when any of its characters is another, then 401', async () => {
    const api = createApi();
    const { secret } = await keyed(api, ['read']);
    for (const place of [0, 9, secret.length - 30, secret.length - 1]) {
      const other = secret[place] === 'a' ? 'b' : 'a';
      const wrong = secret.slice(0, place) + other + secret.slice(place + 1);
      problemIn(await api.get('/v1/extractions', { authorization: `Bearer ${wrong}` }), 401, 'unauthorized');
    }
  });

  it('when it is revoked, then it opens nothing any more, and its name is free', async () => {
    const api = createApi({ apiKey: '0123456789abcdef' });
    const { headers } = await keyed(api, ['read']);
    await revokeKey(api.app, 'ci');
    problemIn(await api.get('/v1/extractions', headers), 401, 'unauthorized');
    expect((await api.get('/v1/extractions', (await keyed(api, ['read'])).headers)).status).toBe(200);
  });

  it('then this machine is asked for it too', async () => {
    const api = createApi();
    expect((await api.get('/v1/extractions')).status).toBe(200);
    await keyed(api, ['read']);
    problemIn(await api.get('/v1/extractions'), 401, 'unauthorized');
  });

  it('then the store holds nothing that opens, and remembers when it was used', async () => {
    const api = createApi();
    const { secret, key } = await keyed(api, ['read']);
    expect(secret).toMatch(/^endstop_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/);
    expect(JSON.stringify(await api.store.keys.find(key.keyId))).not.toContain(secret.slice(21));
    await createKeyring(api.app, null).principalOfKey(secret);
    expect((await api.store.keys.find(key.keyId))?.lastUsedAt).not.toBeNull();
  });

  it.each([
    [{ name: 'local' }, 'not environment or local'],
    [{ name: ' ci' }, "A key's name is"],
    [{ roles: [] }, 'at least one role'],
    [{ tenant: null }, 'Only a key with the role "operate"'],
    [{ tenant: 'a/b' }, 'A tenant is'],
  ])('when it is asked for as %j, then it is refused', async (changes, says) => {
    const asked = { name: 'ci', tenant: 'acme', roles: ['read'] as const, ...changes };
    await expect(createKey(createApi().app, asked)).rejects.toThrow(says);
  });
});

describe('given keys of two tenants', () => {
  const all = ['submit', 'read', 'review', 'operate'] as const;
  const begin = async () => {
    const api = createApi();
    exhaustAll(api, 'human_review');
    const { extraction } = await submitExtraction(api.app, textSubmission('secret', { tenant: 'acme' }));
    const own = await keyed(api, all, 'acme', 'own');
    const other = await keyed(api, all, 'globex', 'other');
    return { api, own: own.headers, other: other.headers, id: extraction.key, hash: extraction.documentHash };
  };

  it('then one never sees the documents, runs or reviews of the other, by whatever id', async () => {
    const { api, own, other, id, hash } = await begin();
    for (const path of [`/v1/extractions/${id}`, `/v1/extractions/${id}/attempts`, `/v1/reviews/${id}`]) {
      expect((await api.get(path, own)).status, path).toBe(200);
      problemIn(await api.get(path, other), 404, 'not-found');
      problemIn(await api.get(path.replace(id, id.slice(0, 12)), other), 404, 'not-found');
    }
    for (const path of ['/v1/extractions', '/v1/reviews']) {
      expect((await api.get(path, own)).body, path).toMatchObject({ items: [{}] });
      expect((await api.get(path, other)).body, path).toEqual({ items: [], nextCursor: null });
    }
    problemIn(
      await api.request(`/v1/documents/${hash}`, { method: 'DELETE', headers: other }),
      404,
      'not-found',
    );
    problemIn(await api.post(`/v1/reviews/${id}/claim`, {}, other), 404, 'not-found');
    problemIn(await api.post(`/v1/extractions/${id}/cancel`, {}, other), 404, 'not-found');
    problemIn(await api.post('/v1/dead-letters/redrive', { id }, other), 404, 'not-found');
    expect((await api.get('/v1/reviews/queue', other)).body).toMatchObject({ open: 0 });
  });

  it('then limits are refused before it is said what was wrong with them', async () => {
    const { api, own } = await begin();
    const init = { method: 'PUT', headers: { ...own, 'content-type': 'application/json' }, body: '{}' };
    problemIn(await api.request('/v1/tenants/acme/limits', init), 403, 'forbidden');
    problemIn(await api.post('/v1/repairs/pause', { reason: 7 }, own), 403, 'forbidden');
  });

  it('then one cannot name the other, in a query or in a body', async () => {
    const { api, other } = await begin();
    problemIn(await api.get('/v1/extractions?tenant=acme', other), 403, 'forbidden');
    problemIn(await api.post('/v1/extractions', submission({ tenant: 'acme' }), other), 403, 'forbidden');
    const many = { filter: { tenant: 'acme' } };
    problemIn(await api.post('/v1/dead-letters/redrive', many, other), 403, 'forbidden');
    problemIn(await api.post('/v1/reviews/next', { tenant: 'acme' }, other), 403, 'forbidden');
    const webhook = { url: 'https://a.example/', tenant: 'acme' };
    problemIn(await api.post('/v1/webhooks', webhook, other), 403, 'forbidden');
  });

  it('then what one hands in is its own, also when it is the same document', async () => {
    const { api, other, id } = await begin();
    const answer = await api.post('/v1/extractions', submission({ document: { text: 'secret' } }), other);
    expect(answer.body).toMatchObject({ tenant: 'globex', submission: { kind: 'started' } });
    expect(answer.body).not.toMatchObject({ id });
  });

  it('then redrives of one are not there for the other', async () => {
    const { api, own, other } = await begin();
    const answer = await api.post('/v1/dead-letters/redrive', { filter: {}, name: 'again' }, own);
    const { id } = answer.body as { id: string };
    expect((await api.get(`/v1/redrives/${id}`, own)).status).toBe(200);
    problemIn(await api.get(`/v1/redrives/${id}`, other), 404, 'not-found');
    problemIn(await api.get('/v1/redrives/again', other), 404, 'not-found');
  });
});

describe('given who acts', () => {
  it('when a stored key claims a review, then it does so in its own name', async () => {
    const api = createApi();
    exhaustAll(api, 'human_review');
    const { extraction } = await submitExtraction(api.app, textSubmission('a'));
    const { headers } = await keyed(api, ['review'], 'acme', 'kim');
    const claim = await api.post(`/v1/reviews/${extraction.key}/claim`, {}, headers);
    expect(claim.body).toMatchObject({ holder: 'kim' });
    const path = `/v1/reviews/${extraction.key}/heartbeat`;
    problemIn(await api.post(path, { actor: 'lou' }, headers), 403, 'forbidden');
    expect((await api.post(path, { actor: 'kim' }, headers)).status).toBe(200);
  });
});
