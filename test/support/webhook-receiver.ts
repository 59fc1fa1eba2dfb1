import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How requests are answered; the default is 204 at once. */
export type Answering = (response: ServerResponse, received: Received, index: number) => void;

/** A server that takes webhooks, as their receivers write one. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  answering: Answering;
  /** Resolves when that many requests have come. */
  came(count: number): Promise<void>;
  close(): Promise<void>;
}

const silently: Answering = (response) => response.writeHead(204).end();

export async function openReceiver(
  answering: Answering = silently,
  host = '127.0.0.1',
  port = 0,
): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: { readonly count: number; tell(): void }[] = [];
  const server = createServer((incoming, response) => {
    read(incoming).then((one) => {
      received.push(one);
      receiver.answering(response, one, received.length - 1);
      for (const { count, tell } of waiting) if (received.length >= count) tell();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const address = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://${host}:${address.port}/hook`,
    port: address.port,
    received,
    answering,
    came: (count) =>
      received.length >= count
        ? Promise.resolve()
        : new Promise((tell) => {
            waiting.push({ count, tell });
          }),
    close: () => closed(server),
  };
  return receiver;
}

async function read(incoming: IncomingMessage): Promise<Received> {
  let body = '';
  for await (const piece of incoming.setEncoding('utf8')) body += piece;
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  return { id: headers['webhook-id'] ?? '', headers, body };
}

async function closed(server: Server): Promise<void> {
  const done = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await done;
}

/** What a receiver with this secret makes of a request: its content, or null for a forged one. */
export function verified(secret: string, { body, headers }: Received): unknown {
  try {
    return new Webhook(secret).verify(body, headers);
  } catch {
    return null;
  }
}
