import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { choosePort, defaultPorts } from './ports.js';
import { type Child, type ProcessRecord, startProcess, waitUntilReady } from './process.js';
import { StackError } from './stack-error.js';
import { findTemporal, type TemporalSearch } from './temporal-binary.js';

const readyMs = 60_000;
/** `host:port`, the host perhaps an IPv6 one in brackets. */
const addressForm = /^\[?(?<host>[^\][/]+)\]?:(?<port>\d{1,5})$/;

export interface TemporalOptions extends TemporalSearch {
  readonly namespace: string;
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
  for (
    let [preferred, preferredUi, tries] = [
      defaultPorts.temporal as number,
      defaultPorts.temporalUi as number,
      1,
    ];
    ;
  ) {
    const port = await choosePort(preferred);
    const uiPort = await choosePort(preferredUi);
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
      await waitUntilReady(child, () => answers(address, namespace), readyMs, signal);
      return { address, uiUrl: `http://127.0.0.1:${uiPort}`, version: binary.version, child };
    } catch (error) {
      await child.stop();
      const portWasTaken = /address already in use|port .* in use/i.test(readFileSync(child.logPath, 'utf8'));
      if (!portWasTaken || tries >= 3) throw error;
      [preferred, preferredUi, tries] = [0, 0, tries + 1];
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
 * True when the server answers for the namespace; throws while it does not. The port is tried first, since a gRPC
 * connection that is refused waits a second before it tries again.
 */
async function answers(address: string, namespace: string): Promise<boolean> {
  if (!(await isListening(address))) return false;
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
  const { host = '', port } = addressForm.exec(address)?.groups ?? {};
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
