import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Who is attacked, and an extraction there that does not end. */
export interface Target {
  readonly url: string;
  readonly extractionId: string;
  /** Told the status of each answer. */
  answered(status: number): void;
}

const mib = 1_048_576;
const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
const wide = `{"spec":"claim","document":{"text":""},${Array.from({ length: 20_000 }, (_, at) => `"f${at}":0`)}}`;
const json = { 'content-type': 'application/json' };
const hostile = ['%00', '%ff', '..%2f..', '%27%20OR%201=1--', '%F0%9F%92%A9', 'a'.repeat(3_000), '-1', '1e9'];

/** What strangers send, by what it tries. Each resolves when all of it has been answered, refused or given up. */
export const attacks: Readonly<Record<string, (target: Target, round: number) => Promise<void>>> = {
  'bad requests': (target) =>
    all(
      [
        'GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n',
        'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
        '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n',
        'POST /v1/extractions HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
        'GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: a\0b\r\n\r\n',
        `GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
        `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      ].flatMap((bytes) => Array.from({ length: 5 }, () => raw(target, bytes))),
    ),
  'parameters, ids and cursors': (target, round) =>
    all(
      hostile.flatMap((text) => [
        ask(target, `/v1/extractions?cursor=${text}`),
        ask(target, `/v1/extractions?limit=${text}`),
        ask(target, `/v1/extractions?tag=${text}-${round}`),
        ask(target, `/v1/extractions/${text}`),
        ask(target, `/v1/batches/${text}/documents`),
        ask(target, `/v1/${text}/${round}`),
      ]),
    ),
  'headers and ranges': (target, round) =>
    all(
      Array.from({ length: 40 }, (_, at) =>
        ask(target, `/v1/extractions/${target.extractionId}/document`, {
          headers: {
            range:
              ['bytes=0-1,5-,-9', `bytes=${at}-`, 'bytes=-0', 'bytes=99999999999-', 'rows=1-2'][at % 5] ?? '',
            authorization: `Bearer endstop_${String(round).padStart(6, '0')}${String(at).padStart(6, '0')}`,
            'if-none-match': '"'.repeat(999),
            traceparent: `00-${String(at).padStart(32, '1')}-1111111111111111-01`,
          },
        }),
      ),
    ),
  'huge and deep JSON': (target) =>
    all([
      send(target, nested, json),
      send(target, wide, json),
      send(target, ' '.repeat(4 * mib), json),
      send(target, ' '.repeat(33 * mib), json),
      send(target, `{"spec":"claim","document":{"text":"${'\\ud800'.repeat(100_000)}"}}`, json),
      send(
        target,
        `{"spec":"claim","document":{"base64":"${'A'.repeat(4 * mib)}","mediaType":"application/pdf"}}`,
        json,
      ),
      send(target, `{"spec":"claim","budgets":{"tokenCap":${'9'.repeat(100_000)}}}`, json),
    ]),
  encodings: (target) =>
    all(
      [
        { 'content-encoding': 'gzip' },
        { 'content-type': 'application/json; charset=utf-7' },
        { 'content-type': 'multipart/form-data' },
        { 'content-type': 'application/json', 'idempotency-key': 'k'.repeat(9_000) },
        { 'content-type': 'x'.repeat(4_000) },
      ].flatMap((headers) =>
        Array.from({ length: 5 }, () => send(target, '\xff\xfe{}', { ...json, ...headers })),
      ),
    ),
  'oversized forms': (target) =>
    all([
      send(target, form(1, 21 * mib), formHeaders),
      send(target, form(1, 34 * mib), formHeaders),
      send(target, form(1_000, 100), formHeaders),
      send(target, form(2, 5 * mib).subarray(0, 3 * mib), formHeaders),
    ]),
  'uploads that break off': (target) =>
    all(
      Array.from({ length: 40 }, async (_, at) => {
        const type = at % 3 === 0 ? formHeaders['content-type'] : 'application/json';
        const socket = open(target);
        socket.write(
          `POST /v1/extractions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\nContent-Length: 4000000\r\n\r\n`,
        );
        socket.write('x'.repeat(at % 2 === 0 ? 10 : 400_000));
        await pause(10 + at);
        socket.destroy();
      }),
    ),
  'requests that nobody waits for': (target) =>
    all(
      Array.from({ length: 40 }, async (_, at) => {
        const gone = new AbortController();
        // Such a request is held for as long as it asked to wait, whoever left: short, so that none is left at the look.
        const headers = { prefer: 'wait=2' };
        const paths = ['/v1/reports', `/v1/extractions/${target.extractionId}`, '/v1/extractions?limit=200'];
        const asked = ask(target, paths[at % 3] ?? '', { headers, signal: gone.signal });
        await pause(at);
        gone.abort();
        await asked;
      }),
    ),
  'streams that nobody reads': (target) =>
    all(
      Array.from({ length: 30 }, async (_, at) => {
        const socket = open(target);
        socket.pause();
        socket.write(`GET /v1/extractions/${target.extractionId}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
        await pause(at % 2 === 0 ? 20 : 900);
        // Some close their half of the connection only, and go without a word later.
        if (at % 3 === 0) socket.end();
        await pause(100);
        socket.destroy();
      }),
    ),
};

/** Sends a byte now and then over many connections, hears no answer, and comes back when it is cut off. */
export function slowLoris(
  target: Target,
  connections: number,
): { readonly cutOff: () => number; stop(): void } {
  const sockets = new Set<Socket>();
  let cutOff = 0;
  let isOver = false;
  const begin = () => {
    const socket = open(target);
    sockets.add(socket);
    socket.write('POST /v1/extractions HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ');
    const dribble = setInterval(() => socket.write('a'), 500);
    socket.on('close', () => {
      clearInterval(dribble);
      sockets.delete(socket);
      if (isOver) return;
      cutOff += 1;
      begin();
    });
  };
  for (let at = 0; at < connections; at += 1) begin();
  return {
    cutOff: () => cutOff,
    stop: () => {
      isOver = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Opens as many streams as one key may have, and says how many there came to be. */
export async function openStreams({ url, extractionId }: Target, count: number): Promise<number> {
  const gone = new AbortController();
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      fetch(`${url}/v1/extractions/${extractionId}/events`, { signal: gone.signal }),
    ),
  );
  gone.abort();
  return answers.filter(({ status }) => status === 200).length;
}

async function all(sent: readonly Promise<void>[]): Promise<void> {
  await Promise.all(sent);
}

async function ask(target: Target, path: string, init: RequestInit = {}): Promise<void> {
  try {
    const answer = await fetch(`${target.url}${path}`, init);
    target.answered(answer.status);
    await answer.arrayBuffer();
  } catch {
    // Given up by us, or refused before all of it was sent.
  }
}

const send = (target: Target, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
  ask(target, '/v1/extractions', { method: 'POST', headers, body });

function open({ url }: Target): Socket {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.on('end', () => socket.destroy());
  return socket;
}

/** Bytes as they are; answered or cut off, or given up after a second. */
async function raw(target: Target, bytes: string): Promise<void> {
  const socket = open(target);
  socket.write(bytes, 'latin1');
  let heard = '';
  socket.on('data', (piece: Buffer) => {
    heard += piece.toString('latin1');
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const limit = new AbortController();
  await Promise.race([closed, pause(1_000, undefined, { signal: limit.signal }).catch(() => undefined)]);
  limit.abort();
  socket.destroy();
  const status = /^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1];
  if (status !== undefined) target.answered(Number(status));
}

const boundary = 'endstop-abuse';
const formHeaders = { 'content-type': `multipart/form-data; boundary=${boundary}` };

function form(files: number, bytes: number): Uint8Array<ArrayBuffer> {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="document"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
  const part = `${head}${'x'.repeat(bytes)}\r\n`;
  return new Uint8Array(Buffer.from(`${part.repeat(files)}--${boundary}--\r\n`));
}
