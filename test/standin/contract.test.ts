import Anthropic from '@anthropic-ai/sdk';
import { afterAll, describe, expect, test } from 'vitest';
import { createStandin } from '../../src/standin/server.js';
import { claimSchema, extraction, recordOf, strict, textOf } from './asking.js';

/**
 * The same calls with the same expectations against the stand-in and, given a key, against the real API:
 * `CONTRACT_API_KEY=... npx vitest run test/standin/contract.test.ts` (CONTRACT_BASE_URL for another address). It
 * costs a few thousand tokens of the smallest model.
 */
const realKey = process.env['CONTRACT_API_KEY'];
if (realKey === undefined) {
  process.stderr.write('contract suite: the real API is left out, because CONTRACT_API_KEY is not set.\n');
}

const paper = [
  'NOTICE OF CLAIM',
  'Claim No.: CL-48213',
  'Policy No.: HO-204518',
  'Claimant: Amira Haddad',
  'Date of loss: 3 November 2024',
  'Currency: EUR',
  '',
  'Description                Amount',
  'Drying of the cellar       812.40',
  'New floor covering         391.60',
  '',
  'Total claimed            1,204.00',
].join('\n');

const record = {
  claim_number: 'CL-48213',
  loss_date: '2024-11-03',
  currency: 'EUR',
  total_claimed: '1204.00',
  deductible: 'not_printed',
};

const text = { type: 'string' };

describe.each([
  { target: 'the stand-in', real: false },
  { target: 'the real API', real: true },
])('$target', async ({ real }) => {
  const standin = real ? null : createStandin({ behaviour: { latencyMs: 0, msPerToken: 0 } });
  const baseURL = standin ? await standin.listen(0, '127.0.0.1') : process.env['CONTRACT_BASE_URL'];
  const client = new Anthropic({
    apiKey: real ? (realKey ?? 'none') : 'any',
    maxRetries: 0,
    ...(baseURL ? { baseURL } : {}),
  });
  afterAll(() => standin?.close());
  const check = test.skipIf(real && realKey === undefined);

  /** Status and type of the error a request ends with. */
  const refused = async (params: object): Promise<unknown[]> => {
    const error = await client.messages.create(params as Anthropic.MessageCreateParamsNonStreaming).then(
      () => null,
      (each: unknown) => each,
    );
    expect(error).toBeInstanceOf(Anthropic.APIError);
    return error instanceof Anthropic.APIError ? [error.status, error.type] : [];
  };
  const bad = [400, 'invalid_request_error'];
  const base = extraction(claimSchema, paper, { maxTokens: 1500 });

  check('reads a claim under a schema', async () => {
    const { data, request_id } = await client.messages.create(base).withResponse();
    expect(data.stop_reason).toBe('end_turn');
    expect(recordOf(data)).toMatchObject(record);
    expect(request_id).toMatch(/^req_/);
    expect(data.usage.input_tokens).toBeGreaterThan(100);
    expect(data.usage.output_tokens).toBeGreaterThan(50);
  });

  check('reads the same claim in a stream', async () => {
    const message = await client.messages.stream(base).finalMessage();
    expect(recordOf(message)).toMatchObject(record);
  });

  check('reads the same claim in plain mode and with a tool', async () => {
    const plain = textOf(
      await client.messages.create(extraction(claimSchema, paper, { mode: 'plain', maxTokens: 1500 })),
    );
    expect(plain).toContain('CL-48213');
    const request = extraction(claimSchema, paper, { mode: 'tool', maxTokens: 1500 });
    const tool = await client.messages.create({ ...request, tool_choice: { type: 'tool', name: 'record' } });
    expect(tool.stop_reason).toBe('tool_use');
    expect(tool.content.at(-1)).toMatchObject({ type: 'tool_use', input: record });
  });

  check('cuts an answer at its ceiling', async () => {
    const message = await client.messages.create({ ...base, max_tokens: 20 });
    expect(message.stop_reason).toBe('max_tokens');
    expect(message.usage.output_tokens).toBeLessThanOrEqual(20);
  });

  check('counts tokens before a call', async () => {
    const { max_tokens: _, ...counted } = base;
    expect((await client.messages.countTokens(counted)).input_tokens).toBeGreaterThan(100);
  });

  check('tells what a model can do', async () => {
    const model = await client.models.retrieve('claude-haiku-5-5');
    expect(model.capabilities?.pdf_input.supported).toBe(true);
    expect(model.max_tokens).toBeGreaterThan(4000);
  });

  check('refuses what the API forbids', async () => {
    expect(await refused({ ...base, max_tokens: undefined })).toEqual(bad);
    expect(await refused({ ...base, max_tokens: 0 })).toEqual(bad);
    expect(await refused({ ...base, temperature: 1 })).toEqual(bad);
    expect(await refused({ ...base, top_p: 1 })).toEqual(bad);
    expect(await refused({ ...base, surprise: true })).toEqual(bad);
    expect(await refused({ ...base, messages: [] })).toEqual(bad);
    expect(
      await refused({ ...base, messages: [...base.messages, { role: 'assistant', content: '{' }] }),
    ).toEqual(bad);
    expect(await refused({ ...base, model: 'claude-nobody-1' })).toEqual([404, 'not_found_error']);
  });

  check('refuses schemas it cannot compile', async () => {
    const asking = (schema: object) =>
      refused({ ...base, output_config: { format: { type: 'json_schema', schema } } });
    expect(await asking({ type: 'object', properties: { a: text } })).toEqual(bad);
    expect(await asking(strict({ a: { type: 'number', minimum: 1 } }))).toEqual(bad);
    expect(await asking(strict({ a: { type: 'array', items: text, minItems: 2 } }))).toEqual(bad);
  });

  check('refuses a forced tool where the model chooses itself', async () => {
    const request = extraction(claimSchema, paper, { mode: 'tool', model: 'claude-sonnet-5-5' });
    expect(await refused({ ...request, tool_choice: { type: 'tool', name: 'record' } })).toEqual(bad);
  });

  check('refuses a PDF that is none', async () => {
    expect(await refused(extraction(claimSchema, Buffer.from('not a PDF')))).toEqual(bad);
  });

  check('refuses a caller without a valid key', async () => {
    const response = await fetch(`${baseURL ?? 'https://api.anthropic.com'}/v1/models`, {
      headers: { 'anthropic-version': '2026-10-21' },
    });
    expect(response.status).toBe(401);
  });
});
