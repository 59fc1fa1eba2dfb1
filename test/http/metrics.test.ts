import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createKey, revokeKey } from '../../src/application/api-keys.js';
import { rememberingKeyring } from '../../src/application/remembering-keyring.js';
import type { Principal, Role } from '../../src/domain/principal.js';
import { serveMetrics } from '../../src/http/metrics-server.js';
import { StoreUnavailable } from '../../src/ports/store.js';
import type { Watch } from '../../src/ports/watch.js';
import { createApi, problemIn } from './api.js';

function watched() {
  const answered: { method: string; route: string; status: number }[] = [];
  const carriers: unknown[] = [];
  const watch: Watch = {
    contentType: 'text/plain',
    text: async () => '"endstop_open_extractions 7"',
    requestAnswered: (method, route, status) => {
      answered.push({ method, route, status });
    },
    continued: (carrier, work) => {
      carriers.push(carrier);
      return work();
    },
  };
  return { answered, carriers, watch };
}

describe('the metrics of the API', () => {
  it('are shown to this machine while there is no key', async () => {
    const { watch } = watched();
    const answer = await createApi({ watch }).get('/metrics');
    expect([answer.status, answer.body]).toEqual([200, 'endstop_open_extractions 7']);
  });

  it('are not shown without a key where there is one', async () => {
    const { watch } = watched();
    const api = createApi({ watch, apiKey: 'k'.repeat(16) });
    problemIn(await api.get('/metrics'), 401, 'unauthorized');
    const answer = await api.get('/metrics', { authorization: `Bearer ${'k'.repeat(16)}` });
    expect(answer.status).toBe(200);
  });

  it('are shown to a key with the role metrics, which opens nothing else', async () => {
    const { watch } = watched();
    const api = createApi({ watch });
    const key = async (name: string, tenant: string | null, roles: readonly Role[]) => ({
      authorization: `Bearer ${(await createKey(api.app, { name, tenant, roles })).secret}`,
    });
    const prometheus = await key('prom', null, ['metrics']);
    expect((await api.get('/metrics', prometheus)).status).toBe(200);
    const paths = ((await api.get('/openapi.json')).body as { paths: Record<string, object> }).paths;
    const guarded = Object.entries(paths).filter(([at]) => at.startsWith('/v1/'));
    for (const [at, methods] of guarded) {
      for (const method of Object.keys(methods)) {
        const init = { method: method.toUpperCase(), headers: prometheus };
        const answer = await api.request(at.replaceAll(/\{\w+\}/g, 'a'.repeat(64)), init);
        expect(answer.status, `${method} ${at}`).toBe(403);
      }
    }
    expect(guarded.length).toBeGreaterThan(30);
    expect((await api.get('/metrics', await key('all', null, ['read', 'operate']))).status).toBe(200);
    problemIn(await api.get('/metrics', await key('own', 'acme', ['read'])), 403, 'forbidden');
    problemIn(await api.get('/metrics', await key('ops', null, ['operate'])), 403, 'forbidden');
  });

  it('are shown to whoever has read them before, while the store that knows the keys is away', async () => {
    const { watch } = watched();
    const api = createApi({ watch });
    const away = async () => Promise.reject(new StoreUnavailable('away'));
    const { any, find } = api.store.keys;
    Object.assign(api.store.keys, { any: away, find: away });
    problemIn(await api.get('/metrics'), 503, 'unavailable');
    Object.assign(api.store.keys, { any, find });
    expect((await api.get('/metrics')).status).toBe(200);
    Object.assign(api.store.keys, { any: away, find: away });
    // By now there may be a key: nobody gets in without one because there was none.
    problemIn(await api.get('/metrics'), 503, 'unavailable');
    Object.assign(api.store.keys, { any, find });
    const { secret } = await createKey(api.app, { name: 'prom', tenant: null, roles: ['metrics'] });
    const prometheus = { authorization: `Bearer ${secret}` };
    expect((await api.get('/metrics', prometheus)).status).toBe(200);
    Object.assign(api.store.keys, { any: away, find: away });
    expect((await api.get('/metrics', prometheus)).status).toBe(200);
    problemIn(await api.get('/v1/extractions', prometheus), 503, 'unavailable');
    const other = { authorization: `Bearer ${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}` };
    problemIn(await api.get('/metrics', other), 503, 'unavailable');
    Object.assign(api.store.keys, { any, find });
    await revokeKey(api.app, 'prom');
    problemIn(await api.get('/metrics', prometheus), 401, 'unauthorized');
    Object.assign(api.store.keys, { any: away, find: away });
    problemIn(await api.get('/metrics', prometheus), 503, 'unavailable');
  });

  describe('while the store hangs', () => {
    const principal: Principal = { keyId: 'a1', name: 'prom', tenant: null, roles: ['metrics'] };
    /** Each question to the store, answered by hand; `ask` waits as long as the keyring does. */
    function hanging() {
      let clock = 0;
      const questions: ((answer: Principal | null) => void)[] = [];
      const keyring = rememberingKeyring(
        {
          principalOfKey: () => new Promise((resolve) => questions.push(resolve)),
          hasKeys: () => Promise.reject(new Error('not asked')),
        },
        () => clock,
      );
      const ask = async () => {
        await vi.advanceTimersByTimeAsync(0);
        const answer = keyring.principalOfKey('secret').then((told) => told?.name ?? null);
        const hangs = new Promise((resolve) => setTimeout(resolve, 5_000, 'hangs'));
        const first = Promise.race([answer, hangs]);
        await vi.advanceTimersByTimeAsync(5_000);
        return await first;
      };
      const letIn = async () => {
        const answer = keyring.principalOfKey('secret');
        questions.at(-1)?.(principal);
        await answer;
      };
      const passMs = (ms: number) => {
        clock += ms;
      };
      return { ask, letIn, questions, passMs };
    }
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('are shown for a quarter of an hour to a key that it let in', async () => {
      const { ask, letIn, passMs } = hanging();
      expect(await ask()).toBe('hangs');
      await letIn();
      passMs(15 * 60_000 - 1);
      expect(await ask()).toBe('prom');
      passMs(1);
      expect(await ask()).toBe('hangs');
      passMs(-60 * 60_000);
      expect(await ask()).toBe('hangs');
    });

    it('are not shown any more once its late answer is a refusal', async () => {
      const { ask, letIn, questions } = hanging();
      await letIn();
      expect([await ask(), await ask()]).toEqual(['prom', 'prom']);
      questions[2]?.(null);
      expect(await ask()).toBe('hangs');
      // Asked before the key was revoked, answered after.
      questions[1]?.(principal);
      expect(await ask()).toBe('hangs');
    });
  });

  it('count requests by the route that was declared, and what fits none as one', async () => {
    const { watch, answered } = watched();
    const api = createApi({ watch });
    await api.get('/healthz');
    await api.get(`/v1/extractions/${'a'.repeat(64)}`);
    await api.get('/wp-login.php');
    await api.request('/healthz', { method: 'HEAD' });
    await api.request('/healthz', { method: 'PROPFIND' });
    expect(answered.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
      'GET /healthz 200',
      'GET /v1/extractions/:id 404',
      'GET other 404',
      'HEAD /healthz 200',
      'other other 405',
    ]);
  });

  it('go on with the trace that a request tells of', async () => {
    const { watch, carriers } = watched();
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await createApi({ watch }).get('/healthz', { traceparent, 'x-other': 'no' });
    expect(carriers).toEqual([{ traceparent }]);
  });
});

describe('the metrics of a worker', () => {
  it('are shown at one path of a port of their own', async () => {
    const { watch } = watched();
    const server = await serveMetrics(watch, { host: '127.0.0.1', port: 0 });
    expect(await (await fetch(server.url)).text()).toBe('"endstop_open_extractions 7"');
    expect((await fetch(server.url.replace('/metrics', '/other'))).status).toBe(404);
    expect((await fetch(server.url, { method: 'POST' })).status).toBe(404);
    await server.close();
  });

  it('cannot be shown where something else listens, and that is said', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { watch } = watched();
    await expect(serveMetrics(watch, { host: '127.0.0.1', port })).rejects.toThrow(
      `The worker cannot show its metrics on 127.0.0.1 port ${port} (EADDRINUSE)`,
    );
    other.close();
  });
});
