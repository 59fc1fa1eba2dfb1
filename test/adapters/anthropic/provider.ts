import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it arrived on the wire. */
interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export type Answer = (response: ServerResponse, request: Arrived) => void;

/** A provider that answers from a script over a real socket, and fails loudly when asked more than it has. */
export async function startProvider() {
  const arrived: Arrived[] = [];
  const script: Answer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const entry: Arrived = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: text === '' ? null : JSON.parse(text),
      };
      arrived.push(entry);
      const answer = script.shift();
      if (answer === undefined) response.writeHead(418).end('The script has ended.');
      else answer(response, entry);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    arrived,
    /** The answers to come, in order. */
    answers: (...next: Answer[]) => {
      arrived.length = 0;
      script.length = 0;
      script.push(...next);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Provider = Awaited<ReturnType<typeof startProvider>>;

/** Answers with raw JSON text, so that a test decides every digit of it. */
export const json =
  (text: string, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'request-id': 'req_test_1',
      ...headers,
    });
    response.end(text);
  };

export const errorBody = (type: string, details?: Record<string, unknown>) =>
  JSON.stringify({
    type: 'error',
    error: { type, message: 'SECRET-WORDS of the provider', ...(details === undefined ? {} : { details }) },
    request_id: 'req_test_1',
  });

/** A message's JSON text around raw content blocks. */
export function message(parts: {
  content?: string;
  stopReason?: string | null;
  usage?: string | null;
}): string {
  const usage = parts.usage === undefined ? '{"input_tokens":100,"output_tokens":20}' : parts.usage;
  const members = [
    '"id":"msg_1","type":"message","role":"assistant","model":"claude-haiku-5-5"',
    `"content":${parts.content ?? '[{"type":"text","text":"{}"}]'}`,
    `"stop_reason":${JSON.stringify(parts.stopReason === undefined ? 'end_turn' : parts.stopReason)}`,
    '"stop_sequence":null',
    ...(usage === null ? [] : [`"usage":${usage}`]),
  ];
  return `{${members.join(',')}}`;
}

/** A complete text answer. */
export const says = (text: string, stopReason = 'end_turn'): Answer =>
  json(message({ content: `[{"type":"text","text":${JSON.stringify(text)}}]`, stopReason }));
