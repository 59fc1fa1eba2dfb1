import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Config, ConfigError, isLoopback } from '../config.js';

type Address = Pick<Config['api'], 'host' | 'port' | 'key'>;

/** Whether an API there could be used by other machines without a key, unless keys are stored. */
export function isExposed({ host, key }: Address): boolean {
  return !isLoopback(host) && key === null;
}

/** @throws ConfigError when other machines could use the API without a key. */
export function assertKeyed(api: Address, hasKeys: boolean): void {
  if (!isExposed(api) || hasKeys) return;
  throw new ConfigError(
    `ENDSTOP_API_HOST is "${api.host}", which other machines can reach, but there is no key: set ENDSTOP_API_KEY, ` +
      'or start once with 127.0.0.1 and make one with "endstop keys create".',
  );
}

/** Listens for an instant. @throws ConfigError when nothing can listen there. */
export async function assertListens(api: Address): Promise<void> {
  const server = createServer();
  const failed = once(server, 'error').then(([error]) => error as NodeJS.ErrnoException);
  const listens = new Promise<null>((resolve) => server.listen(api.port, api.host, () => resolve(null)));
  const error = await Promise.race([failed, listens]);
  if (error !== null) throw cannotListen(api, error);
  await new Promise((resolve) => server.close(resolve));
}

const causes: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no such host is known',
};

export function cannotListen({ host, port }: Address, error: NodeJS.ErrnoException): ConfigError {
  const cause = causes[error.code ?? ''] ?? error.code ?? error.name;
  return new ConfigError(
    `The API cannot listen on ${host} port ${port}: ${cause}; set ENDSTOP_API_HOST or ENDSTOP_API_PORT to others.`,
  );
}
