import Anthropic, { type APIError } from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { claimSchema, extraction, recordOf, startStandin, textOf } from './asking.js';

const paper = 'Claim No.: CL-9\nClaimant: K. Moe\nCurrency: EUR\nTotal claimed: 10.00';
const request = extraction(claimSchema, paper);

describe('faults on the way', () => {
  test.each([
    ['rate429', 429, 'rate_limit_error', 'rate_limited'],
    ['rate529', 529, 'overloaded_error', 'overloaded'],
    ['rate500', 500, 'api_error', 'server_error'],
  ] as const)('%s', async (knob, status, type, outcome) => {
    const { client, standin } = await startStandin({ [knob]: 1, retryAfterSeconds: 7 });
    const error = await client.messages.create(request).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(error).toMatchObject({ status, type });
    expect((error as APIError).headers?.get('retry-after') ?? null).toBe(status === 429 ? '7' : null);
    expect(standin.stats().outcomes).toEqual({ [outcome]: 1 });
  });

  test('a spent limit carries its code and no Retry-After', async () => {
    const { client } = await startStandin({ rateSpendLimit: 1 });
    const error = (await client.messages.create(request).catch((each: unknown) => each)) as APIError;
    expect([error.status, error.errorCode]).toEqual([429, 'enforced_spend_limit_reached']);
    expect(error.headers?.get('retry-after')).toBeNull();
  });

  test('a bad gateway speaks HTML', async () => {
    const { client } = await startStandin({ rate502html: 1 });
    const error = (await client.messages.create(request).catch((each: unknown) => each)) as APIError;
    expect([error.status, error.headers?.get('content-type')]).toEqual([502, 'text/html']);
  });

  test('HTML with status 200 is no message', async () => {
    const { client } = await startStandin({ rate200html: 1 });
    expect(typeof (await client.messages.create(request))).toBe('string');
  });

  test('a reset connection never shows headers', async () => {
    const { client } = await startStandin({ reset: 1 });
    await expect(client.messages.create(request)).rejects.toBeInstanceOf(Anthropic.APIConnectionError);
  });

  test('half a body breaks off after headers', async () => {
    const { client, standin } = await startStandin({ halfBody: 1 });
    const response = await client.messages.create(request).asResponse();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow(/terminated/);
    await expect.poll(() => standin.stats().outcomes).toEqual({ half_body: 1 });
  });

  test('a stalled body outlives the timeout and ends with the caller', async () => {
    const { client, standin } = await startStandin({ stalledBody: 1 });
    const caller = new AbortController();
    const response = await client.messages
      .create(request, { timeout: 1000, signal: caller.signal })
      .asResponse();
    const reading = response.text();
    const first = await Promise.race([
      reading.then(() => 'ended'),
      new Promise((resolve) => setTimeout(() => resolve('silent'), 1200)),
    ]);
    expect(first).toBe('silent');
    expect(standin.stats().inFlight).toBe(1);
    caller.abort();
    await expect(reading).rejects.toThrow();
    await expect.poll(() => standin.stats().inFlight).toBe(0);
  });

  test('slow headers run into the timeout, and the abandoned request is counted as such', async () => {
    const { client, standin } = await startStandin({ slowHeaders: 1, slowMs: 60_000 });
    await expect(client.messages.create(request, { timeout: 50 })).rejects.toBeInstanceOf(
      Anthropic.APIConnectionTimeoutError,
    );
    await expect.poll(() => standin.stats().outcomes).toEqual({ abandoned: 1 });
  });

  test('hang on seed, document and ordinal, not on what else is asked', async () => {
    const fates = async (noise: number): Promise<string[]> => {
      const { client } = await startStandin({ rate529: 0.5, seed: 3 });
      const seen: string[] = [];
      for (let index = 0; index < 12; index += 1) {
        for (let other = 0; other < noise; other += 1) {
          await client.messages.create(extraction(claimSchema, `noise ${index}/${other}`)).catch(() => null);
        }
        seen.push(
          await client.messages.create(request).then(
            () => 'ok',
            () => 'fault',
          ),
        );
      }
      return seen;
    };
    const quiet = await fates(0);
    expect(new Set(quiet)).toEqual(new Set(['ok', 'fault']));
    expect(await fates(2)).toEqual(quiet);
  });
});

describe('streams', () => {
  test('say the same as the whole message', async () => {
    const { client } = await startStandin();
    const whole = await client.messages.create(request);
    const streamed = await client.messages.stream(request).finalMessage();
    expect(streamed.content).toEqual(whole.content);
    expect(streamed.stop_reason).toBe('end_turn');
    expect(streamed.usage).toEqual(whole.usage);
  });

  test('bring their events in the documented order', async () => {
    const { client } = await startStandin();
    const types: string[] = [];
    for await (const event of await client.messages.create({ ...request, stream: true }))
      types.push(event.type);
    expect([...new Set(types)]).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  test('carry tool input, cuts, refusals and thinking', async () => {
    const { client } = await startStandin({ thinkingTokens: 10 });
    const tool = await client.messages
      .stream(extraction(claimSchema, paper, { mode: 'tool' }))
      .finalMessage();
    expect(tool.content.at(-1)).toMatchObject({ type: 'tool_use', input: { claim_number: 'CL-9' } });
    const cut = await client.messages
      .stream(extraction(claimSchema, paper, { maxTokens: 20 }))
      .finalMessage();
    expect([cut.stop_reason, cut.content[0]?.type]).toEqual(['max_tokens', 'thinking']);
    const declined = await client.messages
      .stream(extraction(claimSchema, `${paper}\nnerve agent synthesis`))
      .finalMessage();
    expect([declined.stop_reason, declined.stop_details?.type]).toEqual(['refusal', 'refusal']);
  });

  test('can break off with an error event', async () => {
    const { client } = await startStandin({ streamError: 1 });
    const error = await client.messages
      .stream(request)
      .finalMessage()
      .catch((each: unknown) => each);
    expect(error).toMatchObject({ type: 'overloaded_error' });
  });

  test('can end in the middle', async () => {
    const { client } = await startStandin({ halfBody: 1 });
    await expect(client.messages.stream(request).finalMessage()).rejects.toThrow();
  });
});

test('latency and time per token are waited for', async () => {
  const { client } = await startStandin({ latencyMs: 120, msPerToken: 1 });
  const started = performance.now();
  const message = await client.messages.create(request);
  // Timers may fire a fraction early, never more.
  expect(performance.now() - started).toBeGreaterThanOrEqual(118 + message.usage.output_tokens);
  expect(recordOf(message)).toMatchObject({ claim_number: 'CL-9' });
});

test('every reply carries a request id and rate-limit headers', async () => {
  const { client } = await startStandin();
  const { response, request_id } = await client.messages.create(request).withResponse();
  expect(request_id).toMatch(/^req_[0-9a-f]{24}$/);
  expect(response.headers.get('anthropic-ratelimit-requests-limit')).toMatch(/^\d+$/);
  expect(Date.parse(response.headers.get('anthropic-ratelimit-requests-reset') ?? '')).not.toBeNaN();
  expect(textOf(await client.messages.create(request))).toContain('CL-9');
});
