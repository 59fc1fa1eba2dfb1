import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createStandin } from '../../src/standin/server.js';

/** A content block as it arrived. */
export interface SentBlock {
  readonly type: string;
  readonly text?: string;
  readonly source?: { readonly media_type: string; readonly data: string };
}

/** A model server that can read pictures: the stand-in checks the request, and then this is what it saw. */
export interface SeeingModel {
  readonly url: string;
  /** The user's content of every request so far. */
  readonly sent: readonly (readonly SentBlock[])[];
  close(): Promise<void>;
}

export async function openSeeingModel(sees: () => unknown): Promise<SeeingModel> {
  const standin = createStandin({ behaviour: { latencyMs: 1, msPerToken: 0 } });
  const standinUrl = await standin.listen(0, '127.0.0.1');
  const sent: (readonly SentBlock[])[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const headers = Object.entries(request.headers).filter(
      ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name),
    ) as [string, string][];
    const answer = await fetch(`${standinUrl}${request.url}`, { method: 'POST', headers, body });
    const said = (await answer.json()) as object;
    const { messages } = JSON.parse(body) as { messages: { content: SentBlock[] }[] };
    sent.push(messages[0]?.content ?? []);
    const content = [{ type: 'text', text: JSON.stringify(sees()) }];
    const shown = answer.ok ? { ...said, stop_reason: 'end_turn', content } : said;
    response.writeHead(answer.status, { 'content-type': 'application/json', 'request-id': 'req_seen' });
    response.end(JSON.stringify(shown));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await standin.close();
    },
  };
}
