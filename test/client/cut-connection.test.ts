import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { realWorld } from '../../src/client/transport.js';

const ended = { id: 'a1', state: 'ended', outcome: { kind: 'verified', record: { total: '4.50' } } };
interface Redirect {
  readonly status: number;
  readonly location: string;
}
type Act =
  | 'cut'
  | 'cut as whole'
  | 'cut refusal'
  | 'cut refusal as whole'
  | 'cut fault'
  | 'hang'
  | 'hang refusal'
  | 'hang fault'
  | 'hang page'
  | Redirect;
/** What the server does with its next requests; then it answers whole. */
const plan: Act[] = [];
const asked: string[] = [];
const keys = new Set<unknown>();

function answer(path: string, response: ServerResponse): void {
  const isList = path.includes('/documents');
  const whole = JSON.stringify(isList ? { items: [{ place: 0 }], nextCursor: null } : ended);
  const act = plan.shift();
  if (act === undefined) return void response.setHeader('content-type', 'application/json').end(whole);
  if (typeof act === 'object') return void response.writeHead(act.status, { location: act.location }).end();
  const status = act.includes('refusal')
    ? 404
    : act.includes('fault')
      ? 503
      : act === 'hang page'
        ? 403
        : 200;
  const type =
    status === 200 ? 'application/json' : act === 'hang page' ? 'text/html' : 'application/problem+json';
  // Without a length, the end of the connection is the end of the answer.
  const frame = act.includes('as whole') ? { connection: 'close' } : { 'content-length': whole.length };
  response.useChunkedEncodingByDefault = false;
  response.writeHead(status, { 'content-type': type, ...frame });
  // The head has arrived by then, and half of the body: FIN, not RST, so that the client gets what was sent.
  response.write(whole.slice(0, whole.length / 2), () => act.startsWith('hang') || response.socket?.end());
}

const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url?.replace(/\?.*/, '')}`);
  keys.add(request.headers['idempotency-key']);
  request.resume().once('end', () => answer(request.url ?? '', response));
});
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function setUp(...acts: Act[]) {
  plan.splice(0, plan.length, ...acts);
  asked.length = 0;
  keys.clear();
  const slept: number[] = [];
  const sleep = async (ms: number) => void slept.push(ms);
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { baseUrl, slept, client: createClient({ baseUrl }, { ...realWorld, sleep }) };
}

describe('a connection that is cut inside of an answer', () => {
  it('is taken up again by whatever was asked', async () => {
    const { client, slept } = setUp('cut');
    const request = { spec: 'receipt', document: { text: 'a' } };
    expect(await client.extract(request)).toEqual(ended);
    plan.push('cut');
    expect(await client.wait('a1')).toEqual(ended);
    plan.push('cut', 'cut');
    expect(await client.get('a1')).toEqual(ended);
    plan.push('cut');
    const documents: unknown[] = [];
    for await (const document of client.batches.documents('b')) documents.push(document);
    expect(documents).toEqual([{ place: 0 }]);
    expect(slept).toEqual([500, 500, 500, 1_000, 500]);
    const [post, get, list] = [
      'POST /v1/extractions',
      'GET /v1/extractions/a1',
      'GET /v1/batches/b/documents',
    ];
    expect(asked).toEqual([post, post, get, get, get, get, get, list, list]);
  });

  it('is taken up again where it looks like the end of the answer, under the same key', async () => {
    const { client, slept } = setUp('cut as whole', 'cut');
    expect(await client.submit({ spec: 'receipt', document: { text: 'a' } })).toEqual(ended);
    expect(asked).toEqual(Array(3).fill('POST /v1/extractions'));
    expect([keys.size, slept]).toEqual([1, [500, 1_000]]);
  });

  it.each(['cut refusal', 'cut refusal as whole'] as const)(
    'is a refusal when its status had arrived: %s',
    async (act) => {
      const { client, baseUrl } = setUp(act);
      await expect(client.get('a1')).rejects.toMatchObject({
        ...{ name: 'ApiError', status: 404 },
        message: `${baseUrl} refused this (404), and why was cut off on its way.`,
      });
      expect(asked).toHaveLength(1);
    },
  );

  it('is taken up again when its status says that it passes', async () => {
    const { client } = setUp('cut fault');
    expect(await client.get('a1')).toEqual(ended);
    plan.push(...Array<Act>(6).fill('cut fault'));
    await expect(client.get('a1')).rejects.toMatchObject({ name: 'ApiError', status: 503 });
  });

  it('is let go when nobody reads the rest', async () => {
    const { client } = setUp('hang page');
    const closed = once(server, 'request').then(([, response]) => once(response, 'close'));
    await expect(client.get('a1')).rejects.toMatchObject({ status: 403 });
    await closed;
  });

  it('when it is cut each time, then the error says so after six tries', async () => {
    const { client, baseUrl } = setUp(...Array<Act>(6).fill('cut'));
    await expect(client.wait('a1')).rejects.toMatchObject({
      name: 'UnreachableError',
      message: `The answer from ${baseUrl} broke off on its way.`,
    });
    expect(asked).toHaveLength(6);
  });

  it.each(['hang', 'hang refusal', 'hang fault'] as const)(
    'when the caller leaves meanwhile, then it is for that reason: %s',
    async (act) => {
      const { client } = setUp(act);
      const controller = new AbortController();
      const waiting = client.get('a1', { signal: controller.signal });
      await once(server, 'request');
      setTimeout(() => controller.abort(new Error('The user left.')), 50);
      await expect(waiting).rejects.toThrow('The user left.');
      expect(asked).toHaveLength(1);
    },
  );

  it('when the time for an answer is over inside of it, then it is asked for again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { baseUrl, slept } = setUp('hang');
      const fetch = vi.fn(realWorld.fetch);
      const sleep = async (ms: number) => void slept.push(ms);
      const waiting = createClient({ baseUrl }, { fetch, sleep }).get('a1');
      await fetch.mock.results[0]?.value;
      await vi.advanceTimersByTimeAsync(30_000);
      expect(await waiting).toEqual(ended);
      expect(slept).toEqual([500]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a redirect', () => {
  it.each([
    [
      301,
      'https://api.test/v1/extractions',
      'answers from another address (301): set baseUrl to https://api.test.',
    ],
    [308, '/endstop/v1/extractions', 'answers from another address (308): set baseUrl to BASE/endstop.'],
    [
      302,
      '/login?state=s3cret',
      'sends this on to BASE/login (302): set baseUrl to where the API itself answers.',
    ],
    [
      303,
      '/v1/extractions',
      'sends this on to BASE/v1/extractions (303): set baseUrl to where the API itself answers.',
    ],
  ])('is not followed, but said: %i to %s', async (status, location, says) => {
    const { client, baseUrl } = setUp({ status, location });
    const request = { spec: 'receipt', document: { text: 'a' } };
    await expect(client.submit(request)).rejects.toMatchObject({
      ...{ name: 'ApiError', status },
      message: `${baseUrl} ${says.replace('BASE', baseUrl)}`,
    });
    expect(asked).toEqual(['POST /v1/extractions']);
  });
});
