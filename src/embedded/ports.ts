import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { errorCode, StackError } from './stack-error.js';

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

/** One of each, of a stack. */
export type StackPorts = Readonly<Record<keyof typeof defaultPorts, number>>;

const users: Readonly<Record<keyof StackPorts, string>> = {
  temporal: 'Temporal',
  temporalUi: 'the Temporal UI',
  postgres: 'Postgres',
  api: 'the API',
  standin: 'the stand-in model',
};

/** Whoever listens here may take the default ports: a claim that ends with its process, for every user of the machine. */
const claimPort = 4679;

/** Below what Linux and macOS give to outgoing connections, so that no connection takes a port before its server does. */
const otherPorts = { from: 20_000, to: 32_000 };

/** Ports on loopback for one stack. */
export interface Ports {
  /** Whether the default ports are this stack's; else another stack of this machine has them. */
  readonly hasDefaults: boolean;
  /** `preferred` when this stack may have it and nothing listens there, else what it had `earlier`, else a free one. */
  choose(preferred: number, earlier?: number): Promise<number>;
  /** Gives the default ports back to other stacks. */
  release(): void;
}

/**
 * Claims the default ports for one stack. A second stack on the same machine gets other ones: that a port is free when
 * it is looked at says nothing about what listens there a second later, when two stacks start at once.
 *
 * @throws StackError where nothing can listen, or be reached, at all.
 */
export async function claimPorts(): Promise<Ports> {
  await assertLoopback();
  const claim = await listen(claimPort);
  claim?.unref();
  const hasDefaults = claim !== undefined;
  return {
    hasDefaults,
    choose: async (preferred, earlier) => {
      if (hasDefaults && (await isFree(preferred))) return preferred;
      return earlier !== undefined && isOther(earlier) && (await isFree(earlier))
        ? earlier
        : await otherPort();
    },
    release: () => claim?.close(),
  };
}

/** `earlier` are those of the stack's last start: beside another stack it keeps its addresses. */
export async function choosePorts({ choose }: Ports, earlier: Partial<StackPorts> = {}): Promise<StackPorts> {
  const names = Object.keys(defaultPorts) as (keyof StackPorts)[];
  const chosen: Partial<Record<keyof StackPorts, number>> = {};
  for (const name of names) chosen[name] = await choose(defaultPorts[name], earlier[name]);
  return chosen as StackPorts;
}

/** Says which of these are not at their usual port, where people look for them, and why; null: all are. */
export function movedPorts(
  ports: StackPorts,
  used: readonly (keyof StackPorts)[],
  { hasDefaults }: Pick<Ports, 'hasDefaults'>,
): string | null {
  const moved = used.filter((name) => ports[name] !== defaultPorts[name]);
  if (moved.length === 0) return null;
  const gets = (name: keyof StackPorts) => `${users[name]} gets ${ports[name]}`;
  if (!hasDefaults) return `another Endstop stack runs on this machine, so ${moved.map(gets).join(', ')}`;
  return `taken on this machine: ${moved.map((name) => `port ${defaultPorts[name]}, so ${gets(name)}`).join('; ')}`;
}

/**
 * A free port that is nobody's default.
 *
 * @throws StackError when all of them are taken, or where nothing can listen at all.
 */
export async function otherPort(): Promise<number> {
  const { from, to } = otherPorts;
  const first = Math.floor(Math.random() * (to - from));
  for (let tries = 0; tries < to - from; tries += 1) {
    const port = from + ((first + tries) % (to - from));
    if (await isFree(port)) return port;
  }
  throw new StackError(
    `No port is free on 127.0.0.1: all from ${from} to ${to - 1} are taken. End what holds them and start again.`,
  );
}

function isOther(port: number): boolean {
  return Number.isInteger(port) && port >= otherPorts.from && port < otherPorts.to;
}

async function isFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (server === undefined) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** Where the loopback interface is down, servers can listen, and nobody reaches them. */
async function assertLoopback(): Promise<void> {
  const server = await listen(0);
  if (server === undefined) return;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } catch (error) {
    throw new StackError(
      `Nothing that listens on 127.0.0.1 can be reached (${errorCode(error)}): bring the loopback interface up, then start again.`,
    );
  } finally {
    socket.destroy();
    server.close();
  }
}

/** Undefined: it is taken, or kept from us. Whatever else is wrong is wrong with every port. */
function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => {
      const code = errorCode(error);
      if (code === 'EADDRINUSE' || code === 'EACCES') return resolve(undefined);
      reject(new StackError(`Endstop cannot listen on 127.0.0.1 (${code ?? error.name}).`));
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
  });
}
