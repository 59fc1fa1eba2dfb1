import { createServer, type Server } from 'node:net';

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
  /** `preferred` when this stack may have it and nothing listens there, else another free one. */
  choose(preferred: number): Promise<number>;
  /** Gives the default ports back to other stacks. */
  release(): void;
}

/**
 * Claims the default ports for one stack. A second stack on the same machine gets other ones: that a port is free when
 * it is looked at says nothing about what listens there a second later, when two stacks start at once.
 */
export async function claimPorts(): Promise<Ports> {
  const claim = await listen(claimPort);
  claim?.unref();
  return {
    choose: async (preferred) =>
      claim !== undefined && (await isFree(preferred)) ? preferred : await otherPort(),
    release: () => claim?.close(),
  };
}

export async function choosePorts({ choose }: Ports): Promise<StackPorts> {
  const names = Object.keys(defaultPorts) as (keyof StackPorts)[];
  const chosen: Partial<Record<keyof StackPorts, number>> = {};
  for (const name of names) chosen[name] = await choose(defaultPorts[name]);
  return chosen as StackPorts;
}

/** Says which of these are not at their usual port, where people look for them; null: all are. */
export function movedPorts(ports: StackPorts, used: readonly (keyof StackPorts)[]): string | null {
  const moved = used.filter((name) => ports[name] !== defaultPorts[name]);
  if (moved.length === 0) return null;
  const each = moved.map((name) => `port ${defaultPorts[name]}, so ${users[name]} gets ${ports[name]}`);
  return `taken on this machine: ${each.join('; ')}`;
}

/** A free port that is nobody's default. */
export async function otherPort(): Promise<number> {
  for (;;) {
    const port = otherPorts.from + Math.floor(Math.random() * (otherPorts.to - otherPorts.from));
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (server === undefined) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
  });
}
