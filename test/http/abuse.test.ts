import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/http/log.js';
import { serve } from '../../src/http/server.js';
import { type EndstopProcess, startEndstop } from '../processes/endstop-process.js';
import { createBench } from '../support/fakes/bench.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTestTemporal, type TestTemporal } from '../support/temporal.js';

/** A real process, with a real store and engine behind it, that strangers send whatever they like. */
let database: TestDatabase;
let temporal: TestTemporal;
let api: EndstopProcess;
let url: string;
let port: number;

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), startTestTemporal()]);
  const env = {
    ...{ DATABASE_URL: database.databaseUrl, TEMPORAL_ADDRESS: temporal.address },
    ...{ ENDSTOP_API_PORT: '0', ENDSTOP_REQUESTS_PER_MINUTE: '0', ENDSTOP_LOG_LEVEL: 'error' },
  };
  api = await startEndstop(['api'], env, 'API ready at', { probed: true });
  url = /API ready at (\S+)/.exec(api.output())?.[1] ?? '';
  port = Number(new URL(url).port);
});
afterAll(async () => {
  await api?.end('SIGTERM');
  await temporal?.stop();
  await database?.drop();
});

/** Sends bytes as they are; resolves with everything that comes back until the other side ends. */
function raw(bytes: string | Buffer, at = port): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(at, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (piece) => {
      heard += piece.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(heard));
  });
}

const head = (line: string, ...headers: string[]) =>
  `${[line, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`;
const host = 'Host: 127.0.0.1';
const json = 'Content-Type: application/json';

async function post(body: string | Buffer, path = '/v1/extractions', headers: Record<string, string> = {}) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
  const answer = await fetch(`${url}${path}`, init);
  const problem = (await answer.json()) as { type?: string };
  return { status: answer.status, type: problem.type };
}

const nested = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
const wide = `{"spec":"claim","document":{"text":""},${Array.from({ length: 100_000 }, (_, at) => `"f${at}":0`)}}`;

describe('what is no request to anything here', () => {
  it.each([
    ['no host', head('GET /healthz HTTP/1.1'), 400],
    ['a malformed host', head('GET /healthz HTTP/1.1', 'Host: a b'), 400],
    ['a host with a path', head('GET /healthz HTTP/1.1', 'Host: 127.0.0.1/../x'), 400],
    ['OPTIONS *', head('OPTIONS * HTTP/1.1', host), 400],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', 400],
    [
      'two lengths',
      head('POST /v1/extractions HTTP/1.1', host, 'Content-Length: 1', 'Content-Length: 2'),
      400,
    ],
    [
      'a length beside chunks',
      head('POST /v1/extractions HTTP/1.1', host, 'Content-Length: 4', 'Transfer-Encoding: chunked'),
      400,
    ],
    ['a NUL in a header', head('GET /healthz HTTP/1.1', host, 'X-A: a\0b'), 400],
    ['headers without end', head('GET /healthz HTTP/1.1', host, `X-A: ${'a'.repeat(20_000)}`), 431],
    ['a path without end', head(`GET /${'a'.repeat(20_000)} HTTP/1.1`, host), 431],
  ])('%s is refused with a problem document', async (_name, bytes, status) => {
    const heard = await raw(bytes);
    expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(heard.toLowerCase()).toContain('content-type: application/problem+json');
    expect(heard).toContain('"type":"/problems/');
  });
});

describe('hostile parameters', () => {
  const hostile = [
    '%00',
    '%ff',
    '..%2f..',
    '%27%20OR%201=1--',
    '%24%7B7*7%7D',
    '%F0%9F%92%A9',
    'a'.repeat(3_000),
    '-1',
  ];
  it.each([
    ...hostile.map((text) => `/v1/extractions?cursor=${text}`),
    ...hostile.map((text) => `/v1/extractions?limit=${text}`),
    ...hostile.map((text) => `/v1/extractions/${text}`),
    ...hostile.map((text) => `/v1/reports?since=${text}`),
    '/v1/extractions?since=2026-03-01T00:00:00Z&since=2026-03-02T00:00:00Z',
    '/v1/extractions?limit=1e2',
    '/v1/extractions?limit=0x10',
    '/v1/batches/%2e%2e/documents',
    `/v1/extractions?cursor=${Buffer.from('{"__proto__":{"a":1}}').toString('base64url')}`,
  ])('%s is a 4xx with a problem', async (path) => {
    const answer = await fetch(`${url}${path}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    await answer.body?.cancel();
  });

  it.each(['/v1/reviews/next', '/v1/dead-letters/redrive'])(
    'GET %s takes no word for an id',
    async (path) => {
      const answer = await fetch(`${url}${path}`);
      expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({
        status: 405,
        allow: 'POST',
      });
      await answer.body?.cancel();
    },
  );

  it('a range of bytes is not answered in part, and headers that mean nothing change nothing', async () => {
    const headers = {
      range: 'bytes=0-1,5-,-9',
      'if-none-match': '"'.repeat(999),
      'x-forwarded-host': 'evil',
    };
    const answer = await fetch(`${url}/healthz`, { headers });
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 200,
      body: { status: 'ok' },
    });
  });
});

describe('hostile bodies', () => {
  it.each([
    ['nesting without end', nested, {}, 400],
    ['a hundred thousand fields', wide, {}, 422],
    ['half of a character', '{"spec":"\\ud800","document":{"text":"a"}}', {}, 400],
    ['a prototype', '{"__proto__":{"spec":"claim"},"document":{"text":"a"}}', {}, 422],
    [
      'a number without end',
      `{"spec":"claim","document":{"text":"a"},"budgets":{"tokenCap":${'9'.repeat(100_000)}}}`,
      {},
      422,
    ],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), {}, 400],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), { 'content-encoding': 'gzip' }, 415],
    ['another charset', '{}', { 'content-type': 'application/json; charset=utf-7' }, 415],
    ['a form without a boundary', 'x', { 'content-type': 'multipart/form-data' }, 400],
    [
      'an Idempotency-Key without end',
      '{"spec":"claim","document":{"text":"a"}}',
      { 'idempotency-key': 'k'.repeat(9_000) },
      400,
    ],
    ['more than it takes', Buffer.alloc(33 * 1024 * 1024, 0x20), {}, 413],
  ])('%s is refused', async (_name, body, headers, status) => {
    const answer = await post(body, '/v1/extractions', headers as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(answer.type).toMatch(/^\/problems\//);
  });
});

describe('all of it many times over', () => {
  it('leaves the server up, and its memory where it was', async () => {
    const large = Buffer.alloc(8 * 1024 * 1024, 0x20);
    const round = async () => {
      await Promise.all([post(nested), post(wide), post(large), raw(head('OPTIONS * HTTP/1.1', host))]);
      await Promise.all(
        Array.from({ length: 40 }, async (_, at) => {
          // Some go away before their body has come, others before they are answered.
          const socket = connect(port, '127.0.0.1');
          socket.on('error', () => undefined);
          socket.write(
            `POST /v1/extractions HTTP/1.1\r\n${host}\r\n${json}\r\nContent-Length: 1000000\r\n\r\n`,
          );
          socket.write('x'.repeat(at % 2 === 0 ? 10 : 200_000));
          await pause(5);
          socket.destroy();
          const gone = new AbortController();
          const answer = fetch(`${url}/v1/reports`, { signal: gone.signal }).catch(() => undefined);
          await pause(at % 7);
          gone.abort();
          await answer;
        }),
      );
    };
    for (let warm = 0; warm < 3; warm += 1) await round();
    const before = await api.held();
    const figures: number[] = [];
    for (let each = 0; each < 6; each += 1) {
      await round();
      figures.push(await api.held());
    }
    console.log(
      `MiB after three rounds of abuse: ${before.toFixed(0)}; after each of six more: ${figures.map((one) => one.toFixed(0)).join(', ')}`,
    );
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    // Whoever goes away in the middle of a body is no fault of the server.
    expect(api.output()).not.toContain('unforeseen');
    // Whatever kept the large body of each round would hold 32 MiB more by the fourth, its text or its bytes.
    expect(Math.min(...figures.slice(-3))).toBeLessThan(before + 16);
  });
});

describe('given a client that sends a byte at a time', () => {
  const timeouts = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };
  it.each([
    ['its headers', `GET /healthz HTTP/1.1\r\n${host}\r\nX-A: `],
    ['its body', `POST /v1/extractions HTTP/1.1\r\n${host}\r\n${json}\r\nContent-Length: 100000\r\n\r\n`],
  ])('when it is %s, then it is cut off, and others are answered meanwhile', async (_what, beginning) => {
    const { app } = createBench();
    const deps = { app, tenant: 'acme', inFlight: 4, logger: createLogger('silent'), version: '0' };
    const loopback = { host: '127.0.0.1', port: 0, key: null, perMinute: 0 };
    const server = await serve(deps, loopback, timeouts);
    const sockets = Array.from({ length: 50 }, () => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.write(beginning);
      let heard = '';
      socket.on('data', (piece) => {
        heard += piece.toString('latin1');
      });
      socket.on('error', () => undefined);
      const dribble = setInterval(() => socket.write('a'), 20);
      return new Promise<string>((resolve) => {
        socket.on('close', () => {
          clearInterval(dribble);
          resolve(heard);
        });
      });
    });
    // Whoever does not listen, and does not close its side either, is cut off all the same.
    const deaf = connect({
      ...{ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true },
    });
    deaf.on('error', () => undefined);
    deaf.write(beginning);
    const dribble = setInterval(() => deaf.write('a'), 20);
    const gone = new Promise((resolve) => deaf.once('close', resolve));
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    for (const heard of await Promise.all(sockets)) expect(heard.slice(0, 13)).toBe('HTTP/1.1 408 ');
    await gone;
    clearInterval(dribble);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await server.close(100);
  });
});
