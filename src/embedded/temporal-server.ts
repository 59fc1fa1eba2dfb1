import { connect } from 'node:net';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { hasLogLine } from './log-file.js';
import { otherPort } from './ports.js';
import { type Child, type ProcessRecord, startProcess, waitUntilReady } from './process.js';
import { StackError } from './stack-error.js';
import { findTemporal, type TemporalSearch } from './temporal-binary.js';

const readyMs = 60_000;
/** `host:port`; a host with colons of its own stands in brackets. */
const addressForm = /^(?:\[(?<address>[^\]]+)\]|(?<name>[^\][/:]+)):(?<port>\d{1,5})$/;

export interface TemporalOptions extends TemporalSearch {
  readonly namespace: string;
  /** Ports that were free a moment ago; others are taken when these are not any more. */
  readonly ports: { readonly frontend: number; readonly ui: number };
  /** Called as soon as the process runs, before it answers. */
  readonly onStarted: (record: ProcessRecord) => void;
}

export interface RunningTemporal {
  readonly address: string;
  readonly uiUrl: string;
  readonly version: string;
  readonly child: Child;
}

/**
 * Runs a Temporal server on loopback with its state in `<home>/temporal.db`, and waits until it answers for the
 * namespace.
 *
 * @throws StackError when none is found, or it does not start.
 */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const { home, env, namespace, signal } = options;
  const binary = await findTemporal(options);
  let { frontend: port, ui: uiPort } = options.ports;
  for (let tries = 1; ; tries += 1) {
    const address = `127.0.0.1:${port}`;
    const child = await startProcess(
      {
        name: 'temporal',
        command: [binary.path, ...startArguments(join(home, 'temporal.db'), port, uiPort, namespace)],
        // TEMPORAL_… variables and profiles would redirect it; our keys are none of its business.
        env: { PATH: env['PATH'], TEMPORAL_CONFIG_FILE: '/dev/null' },
        stopSignal: 'SIGTERM',
        stopGraceMs: 15_000,
      },
      join(home, 'logs'),
    );
    options.onStarted(child.record);
    try {
      await waitUntilReady(child, () => answers(child, address, namespace), readyMs, signal);
      return { address, uiUrl: `http://127.0.0.1:${uiPort}`, version: binary.version, child };
    } catch (error) {
      await child.stop();
      if (tries === 3 || !hasLogLine(child.logPath, /address already in use/)) throw error;
      [port, uiPort] = [await otherPort(), await otherPort()];
    }
  }
}

function startArguments(database: string, port: number, uiPort: number, namespace: string): string[] {
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)],
    ...['--db-filename', database, '--log-level', 'warn'],
    ...(namespace === 'default' ? [] : ['--namespace', namespace]),
  ];
}

/**
 * True when the server answers for the namespace; throws while it does not. That it says it has started comes first:
 * whatever answers at the address before is another server. A gRPC connection that is refused would also wait a second
 * before it tries again.
 */
async function answers(child: Child, address: string, namespace: string): Promise<boolean> {
  if (!hasLogLine(child.logPath, /^Temporal Server:/)) return false;
  const connection = await Connection.connect({ address, connectTimeout: '2s' });
  try {
    await connection.workflowService.describeNamespace({ namespace });
    return true;
  } finally {
    await connection.close();
  }
}

/**
 * Checks that something listens at the address given by TEMPORAL_ADDRESS. What it is, and whether it lets us in, shows
 * when search attributes are registered there.
 *
 * @throws StackError when nothing does.
 */
export async function checkTemporalAddress(address: string): Promise<void> {
  if (!addressForm.test(address)) {
    throw new StackError(`TEMPORAL_ADDRESS is ${address}, which is not of the form host:port.`);
  }
  if (await isListening(address)) return;
  throw new StackError(
    `No Temporal server answers at ${address} (TEMPORAL_ADDRESS). Start it, correct TEMPORAL_ADDRESS, or unset it so that Endstop runs one.`,
  );
}

function isListening(address: string): Promise<boolean> {
  const groups = addressForm.exec(address)?.groups ?? {};
  const { port, name = '' } = groups;
  const host = groups['address'] ?? name;
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), timeout: 10_000 });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
