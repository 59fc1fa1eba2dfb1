import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { registerSearchAttributes } from '../../src/adapters/temporal/search-attribute-setup.js';
import { otherPort } from '../../src/embedded/ports.js';
import { findTemporal } from '../../src/embedded/temporal-binary.js';
import { guardChild } from './outliving-guard.js';

export interface TestTemporal {
  readonly address: string;
  readonly uiUrl: string;
  /** SIGKILL: no farewell. */
  kill(): Promise<void>;
  /** The same server again on the same port after `kill`; it remembers anything only with a database file. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const namespace = 'default';

/**
 * A Temporal dev server of the caller's own, in memory unless `databaseFile` is given, with our search attributes.
 * `settings` are dynamic configuration values of the server, `env` is added to its environment.
 */
export async function startTestTemporal(
  databaseFile?: string,
  settings: Readonly<Record<string, number | boolean | string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<TestTemporal> {
  const { path } = await findTemporal({ home: '.endstop', env: process.env, onProgress: () => undefined });
  const [port, uiPort] = [await otherPort(), await otherPort()];
  const address = `127.0.0.1:${port}`;
  const run = (): ChildProcess => {
    const started = spawn(
      path,
      [
        ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)],
        ...['--log-level', 'never', ...(databaseFile === undefined ? [] : ['--db-filename', databaseFile])],
        ...Object.entries(settings).flatMap(([name, value]) => [
          '--dynamic-config-value',
          `${name}=${value}`,
        ]),
      ],
      { stdio: 'ignore', env: { ...process.env, ...env } },
    );
    guardChild(started);
    return started;
  };
  let server = run();
  await untilServing(address);
  return {
    address,
    uiUrl: `http://127.0.0.1:${uiPort}`,
    kill: () => ended(server),
    start: async () => {
      server = run();
      await untilServing(address);
    },
    // What it knows goes with it, and its farewell takes more than a second.
    stop: () => ended(server),
  };
}

async function untilServing(address: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      const connection = await Connection.connect({ address, connectTimeout: '1s' });
      await registerSearchAttributes(connection, namespace);
      await connection.close();
      return;
    } catch (error) {
      if (tries > 300) throw error;
      await pause(100);
    }
  }
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL');
  await exit;
}
