import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { Resolver } from '../../../src/adapters/webhooks/destination.js';
import { createWebhookSender, type WebhookSenderOptions } from '../../../src/adapters/webhooks/sender.js';
import type { WebhookRequest } from '../../../src/ports/webhook-sender.js';
import { selfSigned } from '../../support/certificate.js';
import { openReceiver, type Receiver, verified } from '../../support/webhook-receiver.js';

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, yes').toString('base64')}`;
const other = `whsec_${Buffer.from('another secret of as many bytes.').toString('base64')}`;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function receiver(...args: Parameters<typeof openReceiver>): Promise<Receiver> {
  const opened = await openReceiver(...args);
  open.push(opened);
  return opened;
}

/** A server below HTTP. */
async function socketServer(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const send = (request: Partial<WebhookRequest>, options: Partial<WebhookSenderOptions> = {}) =>
  createWebhookSender({ allowPrivate: true, timeoutMs: 5_000, ...options }).send({
    url: 'http://127.0.0.1/',
    eventId: 'evt_1',
    body: '{"type":"extraction.verified"}',
    secrets: [secret],
    at: Date.now(),
    ...request,
  });
const answered = (status: number) => ({ kind: 'answered', status, retryAfterMs: null });
const failed = (error: string) => ({ kind: 'failed', error });
/** A resolver that answers with these in turn, and remembers that it was asked. */
function inTurn(...answers: readonly (readonly string[])[]): Resolver & { readonly asked: string[] } {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    const answer = answers[Math.min(asked.length, answers.length) - 1] ?? [];
    return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return Object.assign(resolve, { asked });
}

describe('a request', () => {
  it('is verified by the reference library, with its id, and carries JSON', async () => {
    const there = await receiver();
    expect(await send({ url: `${there.url}?key=1` })).toEqual(answered(204));
    const [received] = there.received;
    if (received === undefined) throw new Error('Nothing came.');
    expect(verified(secret, received)).toEqual({ type: 'extraction.verified' });
    expect(verified(other, received)).toBeNull();
    expect(verified(secret, { ...received, body: '{"type":"forged"}' })).toBeNull();
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,\S+$/),
    });
  });

  it('is verified with either secret while they are rotated', async () => {
    const there = await receiver();
    await send({ url: there.url, secrets: [other, secret] });
    const [received] = there.received;
    if (received === undefined) throw new Error('Nothing came.');
    expect(verified(secret, received)).not.toBeNull();
    expect(verified(other, received)).not.toBeNull();
    expect(received.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  });

  it.each([200, 202, 204, 400, 410, 429, 500, 503])(
    'that is answered with %i ends with that',
    async (status) => {
      const there = await receiver((response) => response.writeHead(status).end('some words'));
      expect(await send({ url: there.url })).toEqual(answered(status));
    },
  );

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Fri, 31 Dec 2027 23:59:59 GMT', null],
    ['-1', null],
  ])('that is told to wait (Retry-After: %s) says so', async (header, retryAfterMs) => {
    const there = await receiver((response) => response.writeHead(429, { 'retry-after': header }).end());
    expect(await send({ url: there.url })).toEqual({ kind: 'answered', status: 429, retryAfterMs });
  });

  it('does not follow a redirect', async () => {
    const elsewhere = await receiver();
    const there = await receiver((response) => response.writeHead(307, { location: elsewhere.url }).end());
    expect(await send({ url: there.url })).toEqual(answered(307));
    expect(elsewhere.received).toEqual([]);
  });
});

describe('a receiver', () => {
  const endless = (response: ServerResponse, pieceBytes: number, everyMs: number) => {
    const piece = Buffer.alloc(pieceBytes, 'x');
    const timer = setInterval(() => response.write(piece), everyMs);
    response.writeHead(200).flushHeaders();
    response.on('close', () => clearInterval(timer));
  };

  it('that never answers is a timeout', async () => {
    const there = await receiver(() => undefined);
    expect(await send({ url: there.url }, { timeoutMs: 200 })).toEqual(failed('timeout'));
  });

  it('that trickles its headers is a timeout', async () => {
    const port = await socketServer(
      createServer((socket) => {
        socket.on('error', () => undefined);
        const timer = setInterval(() => socket.write('X-More: yes\r\n'), 20);
        socket.write('HTTP/1.1 200 OK\r\n');
        socket.on('close', () => clearInterval(timer));
      }),
    );
    expect(await send({ url: `http://127.0.0.1:${port}/` }, { timeoutMs: 200 })).toEqual(failed('timeout'));
  });

  it('that trickles its body for ever has answered, and is hung up on', async () => {
    let hungUp: Promise<unknown> = Promise.resolve();
    const there = await receiver((response) => {
      hungUp = new Promise((resolve) => response.on('close', resolve));
      endless(response, 1, 20);
    });
    expect(await send({ url: there.url })).toEqual(answered(200));
    await hungUp;
  });

  it('that pours out its body is hung up on before it was taken in', async () => {
    let poured = 0;
    const there = await receiver((response) => {
      const more = () => {
        for (let room = true; room && !response.destroyed; poured += 65_536)
          room = response.write(Buffer.alloc(65_536));
      };
      response.on('drain', more).writeHead(200);
      more();
    });
    expect(await send({ url: there.url })).toEqual(answered(200));
    // What the machine's own buffers hold in between; an endless body fed into memory would be far more.
    expect(poured).toBeLessThan(32 * 1024 * 1024);
  });

  it('that breaks off its body has answered', async () => {
    const there = await receiver((response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    });
    expect(await send({ url: there.url })).toEqual(answered(200));
  });

  it('that hangs up without an answer is a reset, as is one that resets the connection', async () => {
    const there = await receiver((response) => response.destroy());
    expect(await send({ url: there.url })).toEqual(failed('reset'));
    there.answering = (response) => response.socket?.resetAndDestroy();
    expect(await send({ url: there.url })).toEqual(failed('reset'));
  });

  it('that changes the protocol instead of answering is a reset', async () => {
    const port = await socketServer(
      createServer((socket) => {
        socket.on('error', () => undefined);
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: odd\r\n\r\n');
      }),
    );
    expect(await send({ url: `http://127.0.0.1:${port}/` })).toEqual(failed('reset'));
  });

  it('that speaks no HTTP is a network fault', async () => {
    const port = await socketServer(
      createServer((socket) => socket.on('error', () => undefined).end('220 smtp\r\n')),
    );
    expect(await send({ url: `http://127.0.0.1:${port}/` })).toEqual(failed('network'));
  });

  it('that is not there is refused, and one without an address unknown', async () => {
    const there = await openReceiver();
    await there.close();
    expect(await send({ url: there.url })).toEqual(failed('refused'));
    const resolve = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    };
    expect(await send({ url: 'https://nowhere.example/' }, { resolve })).toEqual(failed('unknown_host'));
    expect(await send({ url: 'https://nowhere.example/' }, { resolve: inTurn([]) })).toEqual(
      failed('unknown_host'),
    );
  });

  it('whose name is never looked up is a timeout', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    expect(await send({ url: 'https://slow.example/' }, { resolve, timeoutMs: 100 })).toEqual(
      failed('timeout'),
    );
  });
});

describe('a private network', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fe80::1]/',
    'https://0.0.0.0/',
    'https://10.1.2.3/',
    'https://100.100.100.200/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/',
    'https://224.0.0.1/',
  ])('is not reached by address: %s', async (url) => {
    const resolve = inTurn(['8.8.8.8']);
    expect(await send({ url }, { allowPrivate: false, resolve })).toEqual(failed('private_address'));
    expect(resolve.asked).toEqual([]);
  });

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:10.0.0.1']],
    [['93.184.215.14', '10.0.0.1']],
    [['2606:4700::1', 'fe80::1']],
  ])('is not reached by a name that leads to %j, not even in part', async (addresses) => {
    const there = await receiver();
    const url = `https://inside.example:${there.port}/`;
    expect(await send({ url }, { allowPrivate: false, resolve: inTurn(addresses) })).toEqual(
      failed('private_address'),
    );
    expect(there.received).toEqual([]);
  });

  it('is not reached by a name that the system knows: localhost', async () => {
    const there = await receiver();
    const url = `https://localhost:${there.port}/`;
    expect(await send({ url }, { allowPrivate: false })).toEqual(failed('private_address'));
  });

  it('is not reached by a name that leads elsewhere the second time it is asked for', async () => {
    const there = await receiver();
    let connections = 0;
    const port = await socketServer(
      createServer((socket) => {
        connections += 1;
        socket.destroy();
      }),
    );
    // Public the first time (an address that answers nobody here), this machine from then on.
    const resolve = inTurn(['192.31.196.1'], ['127.0.0.1']);
    const url = `https://rebind.example:${port}/`;
    const answer = await send({ url }, { allowPrivate: false, resolve, timeoutMs: 300 });
    expect(answer).toEqual({
      kind: 'failed',
      error: expect.stringMatching(/^(timeout|unreachable|refused|network)$/),
    });
    expect([resolve.asked, connections, there.received.length]).toEqual([['rebind.example'], 0, 0]);
  });

  it('is reached where it is allowed, and then exactly at the address that was found first', async () => {
    const first = await receiver(undefined, '127.0.0.2');
    const second = await receiver(undefined, '127.0.0.1', first.port);
    const resolve = inTurn(['127.0.0.2'], ['127.0.0.1']);
    expect(await send({ url: `http://rebind.example:${first.port}/` }, { resolve })).toEqual(answered(204));
    expect([resolve.asked, first.received.length, second.received.length]).toEqual([
      ['rebind.example'],
      1,
      0,
    ]);
    expect(first.received[0]?.headers['host']).toBe(`rebind.example:${first.port}`);
  });

  it('is reached without TLS only where it is allowed', async () => {
    const there = await receiver();
    const resolve = inTurn(['8.8.8.8']);
    const plain = { url: 'http://public.example/' };
    expect(await send(plain, { allowPrivate: false, resolve })).toEqual(failed('insecure_url'));
    expect(await send({ url: 'ftp://public.example/' })).toEqual(failed('insecure_url'));
    expect(await send({ url: 'no url' })).toEqual(failed('network'));
    expect(there.received).toEqual([]);
  });
});

describe('TLS', () => {
  it('is believed only when the certificate is trusted and is for the host in the URL', async () => {
    const { key, cert } = selfSigned('receiver.test');
    const folder = await mkdtemp(join(tmpdir(), 'endstop-tls-'));
    const file = join(folder, 'ca.pem');
    await writeFile(file, cert);
    const server = createSecureServer({ key, cert }, (_, response) => response.writeHead(204).end());
    const port = await socketServer(server);
    const resolve = inTurn(['127.0.0.1']);
    expect(await send({ url: `https://receiver.test:${port}/` }, { resolve })).toEqual(failed('tls'));

    const script = fileURLToPath(new URL('./send-once.ts', import.meta.url));
    const once = async (host: string) => {
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: file };
      const args = ['--import', 'tsx', script, `https://${host}:${port}/`];
      return JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout) as unknown;
    };
    expect(await Promise.all([once('receiver.test'), once('another.test')])).toEqual([
      answered(204),
      failed('tls'),
    ]);
    await rm(folder, { recursive: true });
  });
});
