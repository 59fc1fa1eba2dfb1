import { createServer } from 'node:net';

/**
 * The ports a stack takes when they are free. Temporal's are its own defaults; Postgres keeps clear of 5432, where an
 * installed one usually listens.
 */
export const defaultPorts = {
  temporal: 7233,
  temporalUi: 8233,
  postgres: 5439,
  api: 4680,
  standin: 4690,
} as const;

/**
 * `preferred` when nothing listens there on loopback, else a free port. Another process can still take the port before
 * it is used: whoever listens must be ready to ask again.
 */
export async function choosePort(preferred: number): Promise<number> {
  return (await tryListen(preferred)) ?? (await tryListen(0)) ?? preferred;
}

/** Listens for a moment; the port that was given, or undefined when it is taken. */
function tryListen(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const taken = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(taken));
    });
  });
}
