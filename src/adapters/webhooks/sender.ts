import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type {
  WebhookAnswer,
  WebhookFault,
  WebhookRequest,
  WebhookSender,
} from '../../ports/webhook-sender.js';
import {
  type Address,
  type Destination,
  findDestination,
  type Resolver,
  systemResolver,
} from './destination.js';

export interface WebhookSenderOptions {
  /** Also deliver to private networks and without TLS: for receivers beside this program. */
  readonly allowPrivate: boolean;
  /** For one request, from looking the host up to the answer's head; default 10 s. */
  readonly timeoutMs?: number;
  /** Default: the system's. */
  readonly resolve?: Resolver;
}

/** An answer's body is nobody's business here: so much of it is taken in, so that a polite receiver can finish. */
const drainedBytes = 64 * 1024;
const drainedForMs = 1_000;

/** Sends Standard Webhooks, each on a connection of its own that leads exactly where it was checked to lead. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const timeoutMs = options.timeoutMs ?? 10_000;
  const resolve = options.resolve ?? systemResolver;
  return {
    send: async (request) => {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const url = new URL(request.url);
        const destination = await within(timeout, findDestination(url, options.allowPrivate, resolve));
        if (destination.kind === 'closed') return { kind: 'failed', error: destination.error };
        const response = await post(url, destination, request, timeout);
        await drain(response);
        return answerOf(response);
      } catch (error) {
        return { kind: 'failed', error: timeout.aborted ? 'timeout' : wordFor(error) };
      }
    },
  };
}

function post(
  url: URL,
  { host, addresses }: Extract<Destination, { kind: 'open' }>,
  { eventId, at, body, secrets }: WebhookRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const signedAt = new Date(at);
  const options: RequestOptions = {
    method: 'POST',
    protocol: url.protocol,
    hostname: host,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Endstop-Webhooks/1',
      'webhook-id': eventId,
      'webhook-timestamp': Math.floor(at / 1_000),
      'webhook-signature': secrets.map((key) => new Webhook(key).sign(eventId, signedAt, body)).join(' '),
    },
    lookup: answering(addresses),
    // No pool: a kept connection would lead where an older check allowed it.
    agent: false,
    signal,
  };
  return new Promise((fulfil, reject) => {
    const outgoing = url.protocol === 'https:' ? requestSecure(options) : requestPlain(options);
    outgoing.on('response', fulfil).on('error', reject);
    outgoing.on('close', () => reject(Object.assign(new Error('no answer'), { code: 'ECONNRESET' })));
    outgoing.end(body);
  });
}

/** What the connection is told instead of asking the resolver again. */
function answering(addresses: readonly Address[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** Resolves when the body has ended, or enough of it was seen. It may break off: its head was the answer. */
function drain(response: IncomingMessage): Promise<void> {
  return new Promise((fulfil) => {
    let seen = 0;
    const timer = setTimeout(() => response.destroy(), drainedForMs);
    response.on('data', ({ length }: Buffer) => {
      seen += length;
      if (seen > drainedBytes) response.destroy();
    });
    response.on('error', () => undefined);
    response.on('close', () => {
      clearTimeout(timer);
      fulfil();
    });
  });
}

function answerOf({ statusCode, headers }: IncomingMessage): WebhookAnswer {
  const seconds = headers['retry-after'] ?? '';
  const retryAfterMs = /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1_000 : null;
  return { kind: 'answered', status: statusCode ?? 0, retryAfterMs };
}

/** A resolver cannot be told to stop, so it is left behind. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((fulfil, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(fulfil, reject);
  });
}

const words: Readonly<Record<string, WebhookFault>> = {
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  ENODATA: 'unknown_host',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
  EPROTO: 'tls',
};

/** One word; the error's own text names addresses and hosts. */
function wordFor(error: unknown): WebhookFault {
  const code = String((error as NodeJS.ErrnoException).code);
  return words[code] ?? (/TLS|SSL|CERT|SIGNATURE|ISSUER/.test(code) ? 'tls' : 'network');
}
