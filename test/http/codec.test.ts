import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createHistoryCodec } from '../../src/adapters/temporal/codec.js';
import { createKey } from '../../src/application/api-keys.js';
import type { Role } from '../../src/domain/principal.js';
import { createApi, problemIn } from './api.js';

const key = 'correct-horse-battery-staple';
const codec = createHistoryCodec([{ id: 'k1', secret: randomBytes(32) }]);
const uiUrl = 'https://temporal.example/ui';
const b64 = (text: string) => Buffer.from(text).toString('base64');
const plain = { metadata: { encoding: b64('json/plain') }, data: b64('"hello"') };
const bearer = { authorization: `Bearer ${key}` };
const guarded = () => createApi({ apiKey: key, codec, uiUrl });

describe('the codec server', () => {
  it('encodes what it decodes again, in order', async () => {
    const api = guarded();
    const encoded = await api.post('/codec/encode', { payloads: [plain, {}] }, bearer);
    expect(encoded.status).toBe(200);
    expect(JSON.stringify(encoded.body)).not.toContain(plain.data);
    const decoded = await api.post('/codec/decode', encoded.body, bearer);
    expect(decoded.body).toEqual({ payloads: [plain, { metadata: {}, data: '' }] });
  });

  it.each([
    ['nothing', {}],
    ['another key', { authorization: 'Bearer correct-horse-battery-stable' }],
    ['another password', { authorization: `Basic ${b64('ui:correct-horse')}` }],
    ['no password', { authorization: `Basic ${b64(key)}` }],
  ])('shows nothing to whoever sends %s', async (_what, headers) => {
    for (const path of ['/codec/decode', '/codec/encode'])
      problemIn(await guarded().post(path, { payloads: [plain] }, headers), 401, 'unauthorized');
  });

  it('takes the key as the password of any name, since a browser sends nothing else', async () => {
    const headers = { authorization: `Basic ${b64(`anybody:${key}`)}` };
    expect((await guarded().post('/codec/decode', { payloads: [plain] }, headers)).status).toBe(200);
  });

  it('asks a browser for that password, and tells it once it has it', async () => {
    const asked = await guarded().get('/codec');
    expect(asked.status).toBe(401);
    expect(asked.headers.get('www-authenticate')).toContain('Basic realm="endstop"');
    const headers = { authorization: `Basic ${b64(`ui:${key}`)}` };
    expect((await guarded().get('/codec', headers)).status).toBe(200);
  });

  it('answers the browser of the Temporal UI, before any key, and no page of another origin', async () => {
    const ask = (origin: string) =>
      guarded().request('/codec/decode', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const allowed = await ask('https://temporal.example');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://temporal.example');
    expect(allowed.headers.get('access-control-allow-credentials')).toBe('true');
    expect(allowed.headers.get('access-control-allow-headers')).toContain('x-namespace');
    expect((await ask('https://elsewhere.example')).headers.get('access-control-allow-origin')).toBeNull();
    const refused = await guarded().post(
      '/codec/decode',
      { payloads: [] },
      { origin: 'https://temporal.example' },
    );
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://temporal.example');
  });

  it.each<[string, string | null, readonly Role[], number]>([
    ['an operator of all tenants', null, ['operate'], 200],
    ['a reader', 'acme', ['read'], 403],
    ['an operator of one tenant, since a value does not say whose it is,', 'acme', ['operate'], 403],
  ])('is used by %s: tenant %s, roles %j: %i', async (_who, tenant, roles, status) => {
    const api = createApi({ codec });
    const { secret } = await createKey(api.app, { name: 'ci', tenant, roles });
    const headers = { authorization: `Bearer ${secret}` };
    expect((await api.post('/codec/decode', { payloads: [plain] }, headers)).status).toBe(status);
  });

  it('says which key is missing', async () => {
    const other = createHistoryCodec([{ id: 'k2', secret: randomBytes(32) }]);
    const api = createApi({ codec: other });
    const encoded = await createApi({ codec }).post('/codec/encode', { payloads: [plain] });
    const answer = await api.post('/codec/decode', encoded.body);
    expect(problemIn(answer, 422, 'undecodable').detail).toMatch(/^No codec key "k1" is configured here/);
  });

  it('refuses what is no payload, and says so where there is no key', async () => {
    const bad = { payloads: [{ data: 'not base64!' }] };
    problemIn(await createApi({ codec }).post('/codec/decode', bad), 422, 'invalid-request');
    problemIn(await createApi().post('/codec/decode', { payloads: [] }), 404, 'not-found');
  });
});
