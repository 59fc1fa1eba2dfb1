import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKey, ask, documentText, extractorAt, faultOf, request } from './ask.js';
import { type Answer, errorBody, json, message, type Provider, says, startProvider } from './provider.js';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

const html: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<html><body>Sign in to the REPLYMARK proxy</body></html>');
};
const cutBody: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
  response.write('{"type":"message","REPLYMARK');
  setTimeout(() => response.destroy(), 20);
};
const cutChunks: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"type":"message","REPLYMARK');
  setTimeout(() => response.destroy(), 20);
};
const endedEarly = json(message({}).slice(0, -10));
const reset: Answer = (response) => response.destroy();
const silent: Answer = () => {};
const stalledBody: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
  response.write('{"type":"message","REPLYMARK');
};
const stalledError: Answer = (response) => {
  response.writeHead(529, {
    'content-type': 'application/json',
    'content-length': '5000',
    'retry-after': '3',
  });
  response.write('{"type":"error",');
};
const notUtf8: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    Buffer.concat([
      Buffer.from(message({}).slice(0, -1)),
      Buffer.from([0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    ]),
  );
};
const sse: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`event: error\ndata: ${errorBody('overloaded_error')}\n\n`);
};
const elsewhere: Answer = (response) =>
  response.writeHead(307, { location: 'http://127.0.0.1:9/v1/messages' }).end();
const endless: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const block = Buffer.alloc(1024 * 1024, 0x20);
  const more = () => {
    while (!response.destroyed && response.write(block));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

const limited = (headers: Record<string, string>) => json(errorBody('rate_limit_error'), 429, headers);
const spent = (code: string, status = 429) =>
  json(errorBody('rate_limit_error', { error_code: code }), status);

type Row = [
  name: string,
  answer: Answer,
  kind: 'transient' | 'permanent',
  faultClass: string,
  status: number | null,
  retryAfterMs?: number,
];
const rows: Row[] = [
  ['400', json(errorBody('invalid_request_error'), 400), 'permanent', 'rejected', 400],
  ['401', json(errorBody('authentication_error'), 401), 'permanent', 'unauthenticated', 401],
  ['402', json(errorBody('billing_error'), 402), 'permanent', 'payment_required', 402],
  ['403', json(errorBody('permission_error'), 403), 'permanent', 'forbidden', 403],
  ['404', json(errorBody('not_found_error'), 404), 'permanent', 'not_found', 404],
  ['408', json(errorBody('timeout_error'), 408), 'transient', 'request_timeout', 408],
  ['409', json(errorBody('conflict_error'), 409), 'transient', 'conflict', 409],
  ['413', json(errorBody('request_too_large'), 413), 'permanent', 'too_large', 413],
  ['418, a status nobody planned for', json('{}', 418), 'permanent', 'rejected', 418],
  ['422', json(errorBody('invalid_request_error'), 422), 'permanent', 'rejected', 422],
  ['429', limited({}), 'transient', 'rate_limited', 429],
  [
    '429 with Retry-After in seconds',
    limited({ 'retry-after': '7' }),
    'transient',
    'rate_limited',
    429,
    7_000,
  ],
  [
    '429 with an hour of Retry-After',
    limited({ 'retry-after': '3600' }),
    'transient',
    'rate_limited',
    429,
    3_600_000,
  ],
  [
    '429 with an HTTP date ahead',
    limited({ 'retry-after': 'Mon, 30 Nov 2026 12:00:09 GMT' }),
    'transient',
    'rate_limited',
    429,
    9_000,
  ],
  [
    '429 with an HTTP date gone by',
    limited({ 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT' }),
    'transient',
    'rate_limited',
    429,
    0,
  ],
  [
    '429 with retry-after-ms beside seconds',
    limited({ 'retry-after-ms': '250', 'retry-after': '1' }),
    'transient',
    'rate_limited',
    429,
    250,
  ],
  [
    '429 with a Retry-After of no meaning',
    limited({ 'retry-after': 'soon' }),
    'transient',
    'rate_limited',
    429,
  ],
  ['429 for an enforced spend limit', spent('enforced_spend_limit_reached'), 'permanent', 'spend_limit', 429],
  ['429 for a contract spend limit', spent('contract_spend_limit_reached'), 'permanent', 'spend_limit', 429],
  ['429 for a ramp limit', spent('ramp_limit_exceeded'), 'transient', 'rate_limited', 429],
  [
    '400 for a linked spend limit',
    spent('linked_organization_spend_limit_reached', 400),
    'permanent',
    'spend_limit',
    400,
  ],
  ['500', json(errorBody('api_error'), 500), 'transient', 'server_error', 500],
  [
    '500 whose type says overloaded',
    json(errorBody('overloaded_error'), 500),
    'transient',
    'overloaded',
    500,
  ],
  [
    '502 with an HTML page',
    (r) => r.writeHead(502, { 'content-type': 'text/html' }).end('<h1>REPLYMARK</h1>'),
    'transient',
    'server_error',
    502,
  ],
  [
    '503 with Retry-After',
    json(errorBody('api_error'), 503, { 'retry-after': '2' }),
    'transient',
    'server_error',
    503,
    2_000,
  ],
  ['504', json(errorBody('timeout_error'), 504), 'transient', 'server_error', 504],
  ['529', json(errorBody('overloaded_error'), 529), 'transient', 'overloaded', 529],
  ['529 whose body stalls', stalledError, 'transient', 'overloaded', 529, 3_000],
  ['307 to another address', elsewhere, 'permanent', 'rejected', 307],
  ['a reset before the headers', reset, 'transient', 'connection', null],
  ['a body cut off before its length', cutBody, 'transient', 'connection', 200],
  ['a chunked body cut off', cutChunks, 'transient', 'connection', 200],
  ['a body that ends in the middle of its JSON', endedEarly, 'transient', 'bad_body', 200],
  ['headers that never come', silent, 'transient', 'stalled', null],
  ['a body that stops half way', stalledBody, 'transient', 'stalled', 200],
  ['200 with HTML', html, 'transient', 'bad_body', 200],
  ['200 with an event stream', sse, 'transient', 'bad_body', 200],
  ['200 with bytes that are not UTF-8', notUtf8, 'transient', 'bad_body', 200],
  ['200 with more than anyone can read', endless, 'transient', 'bad_body', 200],
  ['200 with JSON that is no message', json('{"ok":true}'), 'transient', 'bad_body', 200],
  ['200 with a JSON array', json('[1]'), 'transient', 'bad_body', 200],
  ['200 with an empty body', json(''), 'transient', 'bad_body', 200],
  [
    '200 with a message that never stopped',
    json(message({ stopReason: null })),
    'transient',
    'bad_body',
    200,
  ],
  ['200 with an overloaded error in it', json(errorBody('overloaded_error')), 'transient', 'overloaded', 200],
  ['200 with a server error in it', json(errorBody('api_error')), 'transient', 'server_error', 200],
  [
    '200 with an error of a type nobody knows',
    json(errorBody('new_error')),
    'transient',
    'server_error',
    200,
  ],
  [
    '200 with an authentication error in it',
    json(errorBody('authentication_error')),
    'permanent',
    'unauthenticated',
    200,
  ],
];

describe('a call that brings no reply', () => {
  it.each(rows)('%s', async (name, answer, kind, faultClass, status, retryAfterMs) => {
    provider.answers(answer);
    const mayStall = answer === silent || answer === stalledBody || answer === stalledError;
    const fault = await faultOf(ask(provider.baseUrl, {}, mayStall ? 150 : 5_000));

    expect({
      kind: fault.kind,
      faultClass: fault.faultClass,
      status: fault.status,
      retryAfterMs: fault.retryAfterMs,
    }).toEqual({
      kind,
      faultClass,
      status,
      retryAfterMs: retryAfterMs ?? null,
    });
    expect(provider.arrived, `${name} is one request on the wire`).toHaveLength(1);
    const said = `${fault.message}\n${fault.stack ?? ''}\n${JSON.stringify(fault)}\n${String(fault.cause)}`;
    for (const secret of [apiKey, documentText, 'DOCUMENTMARK', 'REPLYMARK', 'SECRET-WORDS']) {
      expect(said).not.toContain(secret);
    }
    expect(fault.message).toMatch(/^[A-Z].*\.$/);
  });

  it('carries the request id of the answer, and nothing that does not look like one', async () => {
    provider.answers(
      json(errorBody('api_error'), 500),
      json(errorBody('api_error'), 500, { 'request-id': 'req "quoted" text' }),
    );
    expect((await faultOf(ask(provider.baseUrl))).requestId).toBe('req_test_1');
    expect((await faultOf(ask(provider.baseUrl))).requestId).toBeNull();
  });

  it('is a refused connection when nobody listens', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => gone.once('listening', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const fault = await faultOf(ask(`http://127.0.0.1:${port}`));
    expect([fault.kind, fault.faultClass, fault.message]).toEqual([
      'transient',
      'connection_refused',
      'The connection to the model API failed (ECONNREFUSED).',
    ]);
  });
});

describe("a caller's own abort", () => {
  const reason = new Error('cancelled by the activity');

  it.each([
    ['before the headers', silent],
    ['in the middle of the body', stalledBody],
  ])('%s comes back as the reason it gave, not as a fault of the provider', async (_when, answer) => {
    provider.answers(answer);
    const caller = new AbortController();
    const call = extractorAt(provider.baseUrl).call(request(), { signal: caller.signal, timeoutMs: 5_000 });
    setTimeout(() => caller.abort(reason), 60);
    await expect(call).rejects.toBe(reason);
  });

  it('before the call sends nothing', async () => {
    provider.answers(says('{}'));
    const call = extractorAt(provider.baseUrl).call(request(), {
      signal: AbortSignal.abort(reason),
      timeoutMs: 5_000,
    });
    await expect(call).rejects.toBe(reason);
    expect(provider.arrived).toHaveLength(0);
  });
});
