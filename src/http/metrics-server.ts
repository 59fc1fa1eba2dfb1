import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../config.js';
import type { Exposition } from '../ports/watch.js';

/** Shows a worker's metrics at `/metrics`. @throws ConfigError when it cannot listen there. */
export async function serveMetrics(
  exposition: Exposition,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    void exposition
      .text()
      .then((text) => response.writeHead(200, { 'Content-Type': exposition.contentType }).end(text));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new ConfigError(
          `The worker cannot show its metrics on ${host} port ${port} (${error.code ?? error.name}): set ENDSTOP_METRICS_HOST or ENDSTOP_METRICS_PORT to others.`,
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
