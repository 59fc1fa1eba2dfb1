import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { createKey } from '../../src/application/api-keys.js';
import { createLogger } from '../../src/http/log.js';
import { serve } from '../../src/http/server.js';
import { createBench, verifyAll } from '../support/fakes/bench.js';
import { submission } from './api.js';

const deps = (bench = createBench()) => ({
  app: bench.app,
  tenant: 'acme',
  inFlight: 4,
  logger: createLogger('silent'),
  version: '0.1.0',
});
const loopback = { host: '127.0.0.1', port: 0, key: null, perMinute: 0 };

describe('given an address of this machine', () => {
  it('then the API answers there over a real socket, and not any more once it is closed', async () => {
    const bench = createBench();
    verifyAll(bench);
    const server = await serve(deps(bench), loopback);
    const answer = await fetch(`${server.url}/v1/extractions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'wait=5' },
      body: JSON.stringify(submission()),
    });
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
    await server.close(1_000);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  it('when a client that waits for a run leaves, then its place is free for another', async () => {
    const bench = createBench();
    const held: AbortSignal[] = [];
    bench.engine.result = (_key, _timeoutMs, signal = AbortSignal.abort()) => {
      held.push(signal);
      return new Promise((end) => signal.addEventListener('abort', () => end(null)));
    };
    const server = await serve({ ...deps(bench), waitsAtOnce: 1 }, loopback);
    const wait = (client: AbortController) =>
      fetch(`${server.url}/v1/extractions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: 'wait=60' },
        body: JSON.stringify(submission()),
        signal: client.signal,
      });
    const [first, second] = [new AbortController(), new AbortController()];
    const left = wait(first);
    await vi.waitUntil(() => held.length === 1);
    const meanwhile = await wait(second);
    expect(meanwhile.headers.get('preference-applied')).toBeNull();
    await meanwhile.body?.cancel();
    first.abort();
    await expect(left).rejects.toThrow('aborted');
    await vi.waitUntil(() => held[0]?.aborted === true);
    const next = wait(second);
    await vi.waitUntil(() => held.length === 2);
    second.abort();
    await expect(next).rejects.toThrow('aborted');
    await server.close(1_000);
  });

  it('when it is closed while a request is under way, then that one is still answered', async () => {
    const bench = createBench();
    const server = await serve(deps(bench), loopback);
    let release: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      bench.engine.ping = () => {
        resolve();
        return new Promise<void>((answer) => {
          release = answer;
        });
      };
    });
    const answer = fetch(`${server.url}/readyz`);
    await asked;
    const closed = server.close(10_000);
    release();
    expect((await answer).status).toBe(200);
    await closed;
  });

  it('when a request does not end within the grace, then it is cut off', async () => {
    const bench = createBench();
    const server = await serve(deps(bench), loopback);
    const asked = new Promise<void>((resolve) => {
      bench.engine.ping = () => {
        resolve();
        return new Promise<void>(() => undefined);
      };
    });
    const answer = fetch(`${server.url}/readyz`).then(
      () => 'answered',
      () => 'cut off',
    );
    await asked;
    await server.close(50);
    expect(await answer).toBe('cut off');
  });
});

describe('given an address that cannot be listened on', () => {
  it('when another process has the port, then one sentence says so', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(serve(deps(), { ...loopback, port })).rejects.toThrow(
      `The API cannot listen on 127.0.0.1 port ${port}: another process listens there; ` +
        'set ENDSTOP_API_HOST or ENDSTOP_API_PORT to others.',
    );
    other.close();
  });

  it('when other machines can reach it and there is no key, then it does not listen', async () => {
    await expect(serve(deps(), { host: '0.0.0.0', port: 0, key: null, perMinute: 0 })).rejects.toThrow(
      'ENDSTOP_API_HOST is "0.0.0.0", which other machines can reach, but there is no key: set ENDSTOP_API_KEY, ' +
        'or start once with 127.0.0.1 and make one with "endstop keys create".',
    );
  });

  it('when other machines can reach it and there is a key, then it asks for it, also once that is revoked', async () => {
    const bench = createBench();
    await createKey(bench.app, { name: 'ci', tenant: 'acme', roles: ['read'] });
    for (const key of [null, '0123456789abcdef']) {
      const server = await serve(deps(bench), { host: '0.0.0.0', port: 0, key, perMinute: 0 });
      const ask = () => fetch(`${server.url.replace('0.0.0.0', '127.0.0.1')}/v1/extractions`);
      expect((await ask()).status).toBe(401);
      await bench.store.keys.revoke('ci', 1);
      expect((await ask()).status).toBe(401);
      await server.close(100);
      await createKey(bench.app, { name: 'ci', tenant: 'acme', roles: ['read'] });
    }
  });
});
