import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/http/app.js';
import { createLogger } from '../../src/http/log.js';
import { type House, openHouse } from '../support/house.js';

/** The API over a real server and a real database. */
let house: House;
let api: ReturnType<typeof createApp>;

beforeAll(async () => {
  house = await openHouse();
  api = createApp({
    ...{
      app: house.app,
      apiKey: null,
      tenant: 'test',
      inFlight: 4,
      version: '0',
      perMinute: 0,
      startsAtOnce: 8,
    },
    logger: createLogger('silent'),
  });
});
afterAll(() => house.close());

const invoice = (text: string) => ({ spec: 'invoice', document: { text } });
const submit = async (body: object, headers: Record<string, string> = {}) => {
  const answer = await api.request('/v1/extractions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
const runs = async () => (await house.app.store.extractions.list({}, { limit: 200 })).items;
const twenty = <T>(make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 20 }, (_, index) => make(index)));

/** Sends it until it is not told to come back. */
async function insisting(body: object, headers: Record<string, string> = {}) {
  for (;;) {
    const answer = await submit(body, headers);
    if (answer.status !== 503 && answer.status !== 409) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('twenty identical starts at once', () => {
  it('are one extraction', async () => {
    const before = (await runs()).length;
    const answers = await twenty(() => insisting(invoice('one of twenty')));
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect((await runs()).length - before).toBe(1);
  });

  it('under one key are one extraction with one answer, and another body gets 422 while the first runs', async () => {
    const before = (await runs()).length;
    const key = { 'idempotency-key': 'order-7' };
    const answers = await twenty(() => insisting(invoice('keyed'), key));
    const seen = answers.map(({ body }) => [
      body['id'],
      body['run'],
      (body['submission'] as { kind: string }).kind,
    ]);
    expect(new Set(seen.map(String)).size).toBe(1);
    expect(seen[0]?.[2]).toBe('started');
    expect((await runs()).length - before).toBe(1);
    const other = await submit(invoice('another'), key);
    expect(other).toMatchObject({ status: 422, body: { type: '/problems/idempotency-mismatch' } });
    expect((await runs()).length - before).toBe(1);
  });
});

describe('six identical batches at once', () => {
  it('under one key are one batch', async () => {
    const send = async (texts: readonly string[]) => {
      const answer = await api.request('/v1/batches', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'march' },
        body: JSON.stringify({ spec: 'invoice', documents: texts.map((text) => ({ document: { text } })) }),
      });
      return { status: answer.status, body: (await answer.json()) as { id?: string; type?: string } };
    };
    const first = await Promise.all(Array.from({ length: 6 }, () => send(['one', 'two'])));
    for (const { status, body } of first.filter(({ body }) => body.id === undefined)) {
      expect({ status, type: body.type }).toEqual({ status: 409, type: '/problems/idempotency-conflict' });
    }
    const again = await send(['one', 'two']);
    const ids = [...first, again].flatMap(({ body }) => body.id ?? []);
    expect(again.body.id).toBeDefined();
    expect(new Set(ids).size).toBe(1);
    expect(await send(['one', 'three'])).toMatchObject({ status: 422 });
    expect((await house.app.store.batches.list({}, { limit: 9 })).items).toHaveLength(1);
  });
});

describe('more documents than can be started at once', () => {
  it('are refused or come to an end', async () => {
    const answers = await twenty((index) => submit(invoice(`number ${index}`), { prefer: 'wait=60' }));
    const refused = answers.filter(({ status }) => status === 503);
    const taken = answers.filter(({ status }) => status === 200 || status === 202);
    expect(refused.length + taken.length).toBe(20);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body } of taken) {
      await expect
        .poll(async () => (await house.app.store.extractions.find(String(body['id'])))?.state, {
          timeout: 90_000,
        })
        .toBe('closed');
    }
  });
});
