import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { realWorld } from '../../src/client/transport.js';

const ended = { id: 'a1', state: 'ended', outcome: { kind: 'verified', record: { total: '4.50' } } };
/** What the server does with its next requests; then it answers whole. */
const plan: ('cut' | 'cut refusal' | 'hang')[] = [];
const asked: string[] = [];

function answer(path: string, response: ServerResponse): void {
  const isList = path.includes('/documents');
  const whole = JSON.stringify(isList ? { items: [{ place: 0 }], nextCursor: null } : ended);
  const act = plan.shift();
  const type = act === 'cut refusal' ? 'application/problem+json' : 'application/json';
  response.writeHead(act === 'cut refusal' ? 404 : 200, {
    'content-type': type,
    'content-length': whole.length,
  });
  if (act === undefined) response.end(whole);
  // The head has arrived by then, and half of the body: FIN, not RST, so that the client gets what was sent.
  else response.write(whole.slice(0, whole.length / 2), () => act !== 'hang' && response.socket?.end());
}

const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url?.replace(/\?.*/, '')}`);
  request.resume().once('end', () => answer(request.url ?? '', response));
});
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function setUp(...acts: typeof plan) {
  plan.splice(0, plan.length, ...acts);
  asked.length = 0;
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

  it('is no refusal when it is a refusal that was cut', async () => {
    const { client } = setUp('cut refusal');
    expect(await client.get('a1')).toEqual(ended);
  });

  it('when it is cut each time, then the error says so after six tries', async () => {
    const { client, baseUrl } = setUp(...Array.from({ length: 6 }, () => 'cut' as const));
    await expect(client.wait('a1')).rejects.toMatchObject({
      name: 'UnreachableError',
      message: `The answer from ${baseUrl} broke off on its way.`,
    });
    expect(asked).toHaveLength(6);
  });

  it('when the caller leaves meanwhile, then it is for that reason', async () => {
    const { client } = setUp('hang');
    const controller = new AbortController();
    const waiting = client.get('a1', { signal: controller.signal });
    await once(server, 'request');
    setTimeout(() => controller.abort(new Error('The user left.')), 50);
    await expect(waiting).rejects.toThrow('The user left.');
    expect(asked).toHaveLength(1);
  });

  it('when the time for an answer is over inside of it, then it is asked for again', async () => {
    const { baseUrl, slept } = setUp();
    const late = new ReadableStream({
      pull: (controller) => controller.error(new DOMException('The operation timed out.', 'TimeoutError')),
    });
    const answers = [new Response(late, { status: 200 }), Response.json(ended)];
    const fetch = async () => answers.shift() ?? Response.error();
    const sleep = async (ms: number) => void slept.push(ms);
    expect(await createClient({ baseUrl }, { fetch, sleep }).get('a1')).toEqual(ended);
    expect(slept).toEqual([500]);
  });
});
