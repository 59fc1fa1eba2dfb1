import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Behaviour, changeBehaviour, DEFAULT_BEHAVIOUR } from '../../src/standin/behaviour.js';
import { createStandin, type Standin } from '../../src/standin/server.js';

/** How one call about a document fares. */
export interface Turn {
  /** Settings of the stand-in that answers it; the defaults without their delays unless told. */
  readonly behaviour?: Partial<Behaviour>;
  /** Kept waiting until this resolves. */
  readonly until?: Promise<unknown>;
  /** Sent on with this key; the stand-ins here take one key only. */
  readonly apiKey?: string;
  /** Sent on for this model. */
  readonly model?: string;
}

export interface RelayedCall {
  readonly at: number;
  /** The request as the caller sent it. */
  readonly body: {
    readonly model: string;
    readonly max_tokens: number;
    readonly messages: readonly { readonly content: readonly { readonly text?: string }[] }[];
  };
}

/** A model server in which every document meets the faults planned for it, so that many can share one server. */
export interface ModelRelay {
  readonly url: string;
  /** Turns of the successive calls about this text document; the last one repeats. */
  plan(document: string, turns: readonly Turn[]): void;
  calls(document: string): readonly RelayedCall[];
  /** Resolves when that many calls about the document have arrived. */
  arrived(document: string, count: number): Promise<void>;
  close(): Promise<void>;
}

/** A turn that waits until it is released. */
export function held(turn: Turn = {}): { readonly turn: Turn; release(): void } {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { turn: { ...turn, until }, release: () => release() };
}

/** The one key its stand-ins take. */
export const relayKey = 'test-key';

const prompt: Partial<Behaviour> = { latencyMs: 5, msPerToken: 0 };

/** Stands before stand-ins, one for each behaviour: what goes wrong is theirs, the relay only picks and passes on. */
export async function openModelRelay(): Promise<ModelRelay> {
  const plans = new Map<string, readonly Turn[]>();
  const calls = new Map<string, RelayedCall[]>();
  const standins = new Map<string, Promise<{ standin: Standin; url: string }>>();

  const standinFor = (changes: Partial<Behaviour>): Promise<{ standin: Standin; url: string }> => {
    const behaviour = changeBehaviour(DEFAULT_BEHAVIOUR, { ...prompt, ...changes });
    const name = JSON.stringify(behaviour);
    const running = standins.get(name) ?? listening(createStandin({ behaviour, apiKey: relayKey }));
    standins.set(name, running);
    return running;
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await bodyOf(incoming);
    let turn: Turn = {};
    let sent = text;
    if (incoming.url === '/v1/messages') {
      const body = JSON.parse(text) as RelayedCall['body'];
      const document = documentOf(text);
      const seen = calls.get(document) ?? [];
      calls.set(document, [...seen, { at: Date.now(), body }]);
      const plan = plans.get(document) ?? [];
      turn = plan[Math.min(seen.length, plan.length - 1)] ?? {};
      if (turn.model !== undefined) sent = JSON.stringify({ ...body, model: turn.model });
    }
    const { url } = await standinFor(turn.behaviour ?? {});
    await turn.until;
    if (!response.destroyed) pass(incoming, sent, turn, url, response);
  };

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plan: (document, turns) => void plans.set(document, turns),
    calls: (document) => calls.get(document) ?? [],
    arrived: async (document, count) => {
      while ((calls.get(document)?.length ?? 0) < count) await pause(20);
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      for (const { standin } of await Promise.all(standins.values())) await standin.close();
    },
  };
}

async function listening(standin: Standin): Promise<{ standin: Standin; url: string }> {
  return { standin, url: await standin.listen(0, '127.0.0.1') };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The text of the document block. */
function documentOf(body: string): string {
  const { messages } = JSON.parse(body) as {
    messages: { content: { type: string; source?: { data: string } }[] }[];
  };
  return messages[0]?.content.find(({ type }) => type === 'document')?.source?.data ?? '';
}

/** Passes a request on and the answer back, byte for byte, also when it breaks off. */
function pass(
  incoming: IncomingMessage,
  body: string,
  turn: Turn,
  url: string,
  response: ServerResponse,
): void {
  const {
    host: _host,
    'content-length': _length,
    'transfer-encoding': _encoding,
    ...headers
  } = incoming.headers;
  const upstream = request(`${url}${incoming.url ?? ''}`, {
    method: incoming.method,
    headers: {
      ...headers,
      'content-length': Buffer.byteLength(body),
      ...(turn.apiKey === undefined ? {} : { 'x-api-key': turn.apiKey, authorization: '' }),
    },
  });
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  upstream.on('error', () => response.socket?.resetAndDestroy());
  response.on('close', () => upstream.destroy());
  upstream.end(body);
}
