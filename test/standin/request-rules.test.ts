import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { pdfOf } from '../../samples/generator/pdf-paper.js';
import { claimSchema, extraction, type Json, refusal, startStandin } from './asking.js';

const { client, url, standin } = await startStandin();

const letter = 'Claim No.: CL-1\nPolicy No.: P-2';
const base = extraction(claimSchema, letter);

const withSchema = (schema: unknown): unknown => ({
  ...base,
  output_config: { format: { type: 'json_schema', schema } },
});
const withContent = (...content: unknown[]): unknown => ({ ...base, messages: [{ role: 'user', content }] });
const tool = (schema: Json): Json => ({ name: 'record', strict: true, input_schema: schema });
describe('a request that the real API refuses is refused', () => {
  test.each<[string, number, string, unknown]>([
    ['malformed JSON', 400, 'not valid JSON', '{"model": '],
    ['a body that is no object', 400, 'not a JSON object', '[1]'],
    ['no model', 400, 'model: Field required', { ...base, model: undefined }],
    ['an unknown model', 404, 'model: claude-nobody', { ...base, model: 'claude-nobody' }],
    ['no max_tokens', 400, 'max_tokens: Field required', { ...base, max_tokens: undefined }],
    ['a max_tokens of zero', 400, 'greater than or equal to 1', { ...base, max_tokens: 0 }],
    ['a fractional max_tokens', 400, 'valid integer', { ...base, max_tokens: 1.5 }],
    ['a max_tokens beyond the model', 400, 'maximum allowed number', { ...base, max_tokens: 500_000 }],
    ['temperature, even at its default', 400, 'temperature: Sampling', { ...base, temperature: 1 }],
    ['top_p', 400, 'top_p: Sampling', { ...base, top_p: 1 }],
    ['top_k', 400, 'top_k: Sampling', { ...base, top_k: 5 }],
    ['the old output_format', 400, 'output_config.format', { ...base, output_format: {} }],
    ['a field that does not exist', 400, 'Extra inputs', { ...base, idempotency_key: 'x' }],
    [
      'thinking of the old kind',
      400,
      'thinking.type',
      { ...base, thinking: { type: 'enabled', budget_tokens: 1024 } },
    ],
    ['no messages', 400, 'messages: Field required', { ...base, messages: undefined }],
    ['empty messages', 400, 'at least one message', { ...base, messages: [] }],
    [
      'a conversation begun by the assistant',
      400,
      'first message',
      { ...base, messages: [{ role: 'assistant', content: 'Hi' }] },
    ],
    [
      'a prefilled answer',
      400,
      'prefill',
      { ...base, messages: [...base.messages, { role: 'assistant', content: '{' }] },
    ],
    [
      'an unknown role',
      400,
      'role: Input should be',
      { ...base, messages: [{ role: 'robot', content: 'Hi' }] },
    ],
    ['empty content', 400, 'non-empty', withContent()],
    ['an empty text block', 400, 'non-whitespace', withContent({ type: 'text', text: '  ' })],
    ['an unknown block', 400, "'video'", withContent({ type: 'video' })],
    [
      'a document in an assistant turn',
      400,
      'not permitted in assistant',
      {
        ...base,
        messages: [
          base.messages[0],
          { role: 'assistant', content: [{ type: 'document' }] },
          base.messages[0],
        ],
      },
    ],
    [
      'citations on user text',
      400,
      'citations are not permitted',
      withContent({ type: 'text', text: 'Hi', citations: [{ type: 'char_location' }] }),
    ],
    [
      'a document that is no PDF by its media type',
      400,
      "'application/pdf'",
      withContent({ type: 'document', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }),
    ],
    [
      'a PDF that is none',
      400,
      'PDF specified was not valid',
      withContent({
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' },
      }),
    ],
    [
      'base64 that is none',
      400,
      'valid base64',
      withContent({
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: '***' },
      }),
    ],
    [
      'an image that is not what it says',
      400,
      'appears to be a image/gif',
      withContent({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'R0lGODlh' } }),
    ],
    [
      'an image that is none',
      400,
      'Could not process image',
      withContent({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }),
    ],
    [
      'more than four cache marks',
      400,
      'maximum of 4 blocks',
      {
        ...base,
        system: Array.from({ length: 5 }, () => ({
          type: 'text',
          text: 'x',
          cache_control: { type: 'ephemeral' },
        })),
      },
    ],
    ['an unknown effort', 400, 'output_config.effort', { ...base, output_config: { effort: 'heroic' } }],
    [
      'structured output together with citations',
      400,
      'citations',
      {
        ...(withSchema(claimSchema) as object),
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'document',
                source: { type: 'text', media_type: 'text/plain', data: 'x' },
                citations: { enabled: true },
              },
            ],
          },
        ],
      },
    ],
    ['a tool choice without tools', 400, 'while providing tools', { ...base, tool_choice: { type: 'any' } }],
    [
      'a tool that is not there',
      400,
      'not found in provided tools',
      { ...base, tools: [tool(claimSchema)], tool_choice: { type: 'tool', name: 'other' } },
    ],
    [
      'a tool schema that is no object',
      400,
      "should be 'object'",
      { ...base, tools: [tool({ type: 'string' })] },
    ],
  ])('%s', async (_, status, message, params) => {
    const seen = await refusal(url, params);
    expect(seen.status).toBe(status);
    expect(seen.type).toBe(status === 404 ? 'not_found_error' : 'invalid_request_error');
    expect(seen.message).toContain(message);
  });

  test.each(['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-fable-5-1'])(
    'a forced tool on %s',
    async (model) => {
      const forced = { ...base, model, output_config: {}, tools: [tool(claimSchema)] };
      for (const choice of [{ type: 'tool', name: 'record' }, { type: 'any' }]) {
        expect((await refusal(url, { ...forced, tool_choice: choice })).message).toContain(
          'tool_choice.type',
        );
      }
    },
  );

  test('an encrypted PDF', async () => {
    const locked = await pdfOf({ blocks: [{ kind: 'heading', text: 'Secret' }] }, { password: 'x' });
    await expect(client.messages.create(extraction(claimSchema, locked))).rejects.toThrow(
      /password protected/,
    );
  });

  test('a request over 32 MB, as 413', async () => {
    const seen = await refusal(url, `{"model": "${'x'.repeat(33 * 1024 * 1024)}"}`);
    expect([seen.status, seen.type]).toEqual([413, 'request_too_large']);
  });

  test('a prompt beyond the context window', async () => {
    const { url: small } = await startStandin({ contextTokens: 500 });
    const caller = new Anthropic({ apiKey: 'k', baseURL: small, maxRetries: 0 });
    await expect(caller.messages.create(extraction(claimSchema, 'word '.repeat(1000)))).rejects.toThrow(
      /prompt is too long/,
    );
  });
});

describe('callers must name themselves', () => {
  test('without a key: 401', async () => {
    const response = await fetch(`${url}/v1/models`, { headers: { 'anthropic-version': '2026-10-21' } });
    expect([response.status, ((await response.json()) as { error: { type: string } }).error.type]).toEqual([
      401,
      'authentication_error',
    ]);
  });

  test('a bearer token and x-api-key are both taken', async () => {
    for (const header of [{ authorization: 'Bearer k' }, { 'x-api-key': 'k' }]) {
      const response = await fetch(`${url}/v1/models`, {
        headers: { 'anthropic-version': '2026-10-21', ...header },
      });
      expect(response.status).toBe(200);
    }
  });

  test('without a version: 400', async () => {
    expect((await fetch(`${url}/v1/models`, { headers: { 'x-api-key': 'k' } })).status).toBe(400);
  });

  test('an unknown path: 404', async () => {
    expect((await refusal(url, base, '/v1/complete')).status).toBe(404);
  });
});

test('refused requests are counted as such and meet no document', async () => {
  const before = standin.stats();
  await refusal(url, { ...base, temperature: 0 });
  const after = standin.stats();
  expect((after.outcomes['rejected'] ?? 0) - (before.outcomes['rejected'] ?? 0)).toBe(1);
  expect(after.documents).toEqual(before.documents);
});
