import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Config, ConfigError, isLoopback } from '../config.js';
import { createApp } from './app.js';
import type { HttpDeps } from './environment.js';

/** An API that listens. */
export interface RunningServer {
  readonly url: string;
  /** Takes no new requests, lets the ones under way end for at most `graceMs`, then cuts them off. */
  close(graceMs: number): Promise<void>;
}

/**
 * Listens at the configured address.
 * Throws ConfigError when the address is not this machine and there is no key, or when it cannot be listened on.
 */
export async function serve(deps: Omit<HttpDeps, 'apiKey'>, api: Config['api']): Promise<RunningServer> {
  const isLocal = isLoopback(api.host);
  if (!isLocal && api.key === null && !(await deps.app.store.keys.any())) throw needsKey(api);
  const app = createApp({ ...deps, apiKey: api.key, keyless: isLocal });
  const server = createServer(getRequestListener(app.fetch));
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
        const cut = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function needsKey({ host }: Config['api']): ConfigError {
  return new ConfigError(
    `ENDSTOP_API_HOST is "${host}", which other machines can reach, but there is no key: make one with ` +
      '"endstop keys create", or set ENDSTOP_API_KEY (or use 127.0.0.1).',
  );
}

const causes: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no such host is known',
};

function cannotListen({ host, port }: Config['api'], error: NodeJS.ErrnoException): ConfigError {
  const cause = causes[error.code ?? ''] ?? error.code ?? error.name;
  return new ConfigError(
    `The API cannot listen on ${host} port ${port}: ${cause}; set ENDSTOP_API_HOST or ENDSTOP_API_PORT to others.`,
  );
}
