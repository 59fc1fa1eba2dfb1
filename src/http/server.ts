import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { answersKeptMs } from '../application/request-claim.js';
import { type Config, isLoopback } from '../config.js';
import { createApp } from './app.js';
import { requestTimeoutMs } from './batch-submission.js';
import { answerClientError, answerNoRequest } from './client-error.js';
import type { HttpDeps } from './environment.js';
import { createEventStreams } from './event-stream.js';
import { assertKeyed, cannotListen, isExposed } from './listening.js';

/** An API that listens. */
export interface RunningServer {
  readonly url: string;
  /** Takes no new requests, lets the ones under way end for at most `graceMs`, then cuts them off. */
  close(graceMs: number): Promise<void>;
}

/** In ms, as Node's server takes them. */
type ServerTimeouts = Record<'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval', number>;

/** A client that sends its request a byte at a time holds a connection for so long, and nothing else. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: requestTimeoutMs,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
} as const;

/** Between two looks for answers that need not be kept any more. */
const sweepMs = 600_000;

async function forgetAnswers({ store, now }: HttpDeps['app']): Promise<void> {
  // Some at a time; what is left is taken by the next look. A store that is away is told of by whoever needs it.
  await store.idempotency.sweep(now() - answersKeptMs).catch(() => undefined);
}

/**
 * Listens at the configured address. `limits` are for tests that cannot wait for the usual ones.
 * Throws ConfigError when the address is not this machine and there is no key, or when it cannot be listened on.
 */
export async function serve(
  deps: Omit<HttpDeps, 'apiKey'>,
  api: Config['api'],
  limits: Partial<ServerTimeouts> = {},
): Promise<RunningServer> {
  const isLocal = isLoopback(api.host);
  if (isExposed(api)) assertKeyed(api, await deps.app.store.keys.any());
  const streams = createEventStreams();
  const app = createApp({ ...deps, apiKey: api.key, perMinute: api.perMinute, keyless: isLocal }, streams);
  const server = createServer(
    // One without a Host is answered by errorHandler, in the words of every other refusal.
    { ...timeouts, ...limits, requireHostHeader: false },
    getRequestListener(app.fetch, { errorHandler: answerNoRequest }),
  );
  server.on('clientError', answerClientError);
  const sweeping = setInterval(() => void forgetAnswers(deps.app), sweepMs).unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(api, error)));
    server.listen(api.port, api.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = api.host.includes(':') ? `[${api.host}]` : api.host;
  return {
    url: `http://${host}:${port}`,
    close: (graceMs) =>
      new Promise((resolve) => {
        clearInterval(sweeping);
        streams.close();
        const cut = setTimeout(() => server.closeAllConnections(), graceMs);
        // Connections fall idle as the requests on them are answered; each is then of no more use.
        const idle = setInterval(() => server.closeIdleConnections(), 50);
        server.close(() => {
          clearInterval(idle);
          clearTimeout(cut);
          resolve();
        });
      }),
  };
}
