import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/ports/store.js';
import { createApi, problemIn, submission } from './api.js';

const key = 'correct-horse-battery-staple';

describe('given a key', () => {
  it.each([
    ['none', {}],
    ['another', { authorization: 'Bearer correct-horse-battery-stable' }],
    ['a part of it', { authorization: 'Bearer correct-horse' }],
    ['it by another scheme', { authorization: `Basic ${key}` }],
    ['it with something behind it', { authorization: `Bearer ${key} x` }],
  ])('when %s is sent, then 401 says how to send it, whatever is asked for', async (_what, headers) => {
    const api = createApi({ apiKey: key });
    for (const path of ['/v1/extractions', '/v1/reviews/00000000', '/v1/nothing']) {
      const answer = await api.get(path, headers);
      problemIn(answer, 401, 'unauthorized');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="endstop"');
    }
    problemIn(await api.post('/v1/extractions', submission(), headers), 401, 'unauthorized');
    expect(api.store.rows).toEqual([]);
  });

  it('when it is sent, then the request is answered, from wherever it comes', async () => {
    const api = createApi({ apiKey: key });
    const headers = {
      authorization: `Bearer ${key}`,
      host: 'endstop.example',
      origin: 'https://elsewhere.example',
    };
    expect((await api.get('/v1/extractions', headers)).status).toBe(200);
  });

  it('then health is told without it', async () => {
    const api = createApi({ apiKey: key });
    expect((await api.get('/healthz')).status).toBe(200);
    expect((await api.get('/readyz')).status).toBe(200);
  });
});

describe('given no key', () => {
  it.each<[string, Record<string, string>]>([
    ['a name that was made to point here', { host: 'evil.example' }],
    ['a name that only looks local', { host: 'localhost.evil.example:8080' }],
    ['a page of another site', { host: 'localhost:8080', origin: 'https://evil.example' }],
    ['a page without an origin', { host: 'localhost:8080', origin: 'null' }],
  ])('when %s asks, then 403', async (_what, headers) => {
    problemIn(await createApi().get('/v1/extractions', headers), 403, 'forbidden');
  });

  it.each<[string, Record<string, string>]>([
    ['by name', { host: 'localhost:8080' }],
    ['by address', { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' }],
    ['by IPv6', { host: '[::1]:8080' }],
  ])('when this machine asks %s, then it is answered', async (_what, headers) => {
    expect((await createApi().get('/v1/extractions', headers)).status).toBe(200);
  });
});

describe('given health', () => {
  it('when the store is gone, then it is not ready, and only says which part', async () => {
    const api = createApi();
    api.store.ping = async () => {
      throw new StoreUnavailable('Postgres at db.internal:5432 does not answer.');
    };
    const answer = await api.get('/readyz');
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({
      status: 'not_ready',
      checks: [
        { name: 'store', ok: false },
        { name: 'engine', ok: true },
      ],
    });
    expect((await api.get('/healthz')).body).toEqual({ status: 'ok' });
  });
});

describe('given paths and methods', () => {
  it('when a path is unknown, then 404 says where the known ones stand', async () => {
    const { detail } = problemIn(await createApi().get('/v2/extractions'), 404, 'not-found');
    expect(detail).toContain('/openapi.json');
  });

  it('when a path does not have the method, then 405 says which it has', async () => {
    const api = createApi();
    const answer = await api.request('/v1/extractions', { method: 'DELETE' });
    problemIn(answer, 405, 'method-not-allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    const other = await api.get('/v1/extractions/00000000/cancel');
    problemIn(other, 405, 'method-not-allowed');
    expect(other.headers.get('allow')).toBe('POST');
  });
});

describe('given a fault that nobody foresaw', () => {
  it('then neither answer nor log holds its text, and both hold the request id', async () => {
    const api = createApi();
    api.store.extractions.list = async () => {
      throw new TypeError('cannot read "patient Ada Lovelace"');
    };
    const answer = await api.get('/v1/extractions', { 'x-request-id': 'req-7' });
    const problem = problemIn(answer, 500, 'internal-error');
    expect(problem.requestId).toBe('req-7');
    expect(JSON.stringify(problem)).not.toMatch(/Lovelace|TypeError|at /);
    const logged = api.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged.find(({ msg }) => msg === 'unforeseen')).toMatchObject({
      requestId: 'req-7',
      kind: 'TypeError',
    });
    expect(api.log.join()).not.toContain('Lovelace');
  });
});

describe('given the log', () => {
  it('then a request is one line with numbers, and no key, query or document', async () => {
    const api = createApi({ apiKey: key });
    const headers = { authorization: `Bearer ${key}` };
    await api.post('/v1/extractions', submission({ document: { text: 'patient Ada Lovelace' } }), headers);
    await api.get('/v1/extractions?tag=secret', headers);
    expect(api.log).toHaveLength(2);
    expect(JSON.parse(api.log[0] ?? '')).toMatchObject({
      method: 'POST',
      path: '/v1/extractions',
      status: 202,
    });
    expect(api.log.join()).not.toMatch(/Lovelace|staple|secret/);
  });

  it('then a probe that succeeds leaves no line', async () => {
    const api = createApi();
    await api.get('/readyz');
    expect(api.log).toEqual([]);
    api.engine.down = true;
    await api.get('/readyz');
    expect(api.log).toHaveLength(1);
  });

  it('then a request id that could forge a line is replaced', async () => {
    const answer = await createApi().get('/healthz', { 'x-request-id': '{"level":50}' });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
