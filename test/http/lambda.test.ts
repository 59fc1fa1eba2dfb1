import { describe, expect, it } from 'vitest';
import { createLambdaApi } from '../../src/http/lambda.js';
import { createLogger } from '../../src/http/log.js';
import { type Bench, createBench } from '../support/fakes/bench.js';
import { submission } from './api.js';

interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}
type Ask = (
  path: string,
  headers?: Readonly<Record<string, string>>,
  body?: object,
  remainingMs?: number,
) => Promise<Answer>;

const apiKey = 'correct-horse-battery-staple';

/** The API as the function's URL calls it, in an invocation that has so long to go. */
function serving(): Bench & { readonly ask: Ask; readonly waits: number[] } {
  const bench = createBench();
  const waits: number[] = [];
  bench.engine.result = async (_key, timeoutMs) => {
    waits.push(timeoutMs);
    return null;
  };
  const handler = createLambdaApi({
    app: bench.app,
    apiKey,
    tenant: 'acme',
    inFlight: 4,
    logger: createLogger('silent'),
    version: '0.1.0',
  }) as unknown as (event: object, context: object) => Promise<Answer>;
  const ask: Ask = (path, headers = {}, body = undefined, remainingMs = 30_000) => {
    const endsAt = Date.now() + remainingMs;
    const method = body === undefined ? 'GET' : 'POST';
    return handler(
      {
        version: '2.0',
        rawPath: path,
        rawQueryString: '',
        headers: {
          host: 'endstop.example',
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          ...headers,
        },
        requestContext: { http: { method, path }, domainName: 'endstop.example' },
        isBase64Encoded: false,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      { getRemainingTimeInMillis: () => endsAt - Date.now() },
    );
  };
  return { ...bench, ask, waits };
}

async function started() {
  const api = serving();
  const accepted = await api.ask('/v1/extractions', {}, submission());
  return { ...api, id: (JSON.parse(accepted.body) as { id: string }).id };
}

const textOf = ({ body, isBase64Encoded }: Answer) =>
  isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
const idsIn = (answer: Answer) => [...textOf(answer).matchAll(/^id: (.*)$/gm)].map(([, id]) => id);

describe('waiting in an invocation', () => {
  it('ends while there is time to answer, and says how long it was', async () => {
    const { ask, waits } = serving();
    // 30 s less the 3 s for the answer, and whatever has passed by then.
    const answer = await ask('/v1/extractions', { prefer: 'wait=60' }, submission());
    expect(answer.statusCode).toBe(202);
    expect(waits).toEqual([26_000]);
    expect(answer.headers).toMatchObject({ 'preference-applied': 'wait=26', 'retry-after': '3' });
  });

  it('is as long as preferred where that fits, and none where nothing fits', async () => {
    const { ask, waits, id } = await started();
    await ask(`/v1/extractions/${id}`, { prefer: 'wait=20' });
    expect(waits).toEqual([20_000]);
    const late = await ask(`/v1/extractions/${id}`, { prefer: 'wait=20' }, undefined, 2_000);
    expect(late.statusCode).toBe(200);
    expect(late.headers['preference-applied']).toBeUndefined();
    expect(waits).toEqual([20_000]);
  });
});

describe('events in an invocation', () => {
  it('come as soon as there are some, and the rest when the client comes back', async () => {
    const { ask, store, id } = await started();
    const path = `/v1/extractions/${id}/events`;
    const first = await ask(path);
    expect(first).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/event-stream' } });
    expect(idsIn(first)).toEqual(['start']);
    const following = ask(path, { 'last-event-id': 'start' });
    store.end(id, { outcome: 'verified' });
    expect(idsIn(await following)).toEqual(['end']);
    expect((await ask(path, { 'last-event-id': 'end' })).statusCode).toBe(204);
  });

  it.each([3_100, 3_700, 1_000])(
    'end without any in time when %i ms are left, and not for good',
    async (remainingMs) => {
      const { ask, id } = await started();
      const answer = await ask(
        `/v1/extractions/${id}/events`,
        { 'last-event-id': 'start' },
        undefined,
        remainingMs,
      );
      expect(answer.statusCode).toBe(200);
      expect(textOf(answer)).toBe('');
    },
  );
});
