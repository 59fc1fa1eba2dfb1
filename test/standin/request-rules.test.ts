import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { pdfOf } from '../../samples/generator/pdf-paper.js';
import { claimSchema, extraction, type Json, startStandin, strict } from './asking.js';

const { client, url, standin } = await startStandin();

const letter = 'Claim No.: CL-1\nPolicy No.: P-2';
const base = extraction(claimSchema, letter);
const text = { type: 'string' };

/** The refusal of a request as a caller sees it. */
async function refusal(
  params: unknown,
  path = '/v1/messages',
): Promise<{ status: number; type: string; message: string }> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer k',
      'anthropic-version': '2026-10-21',
      'content-type': 'application/json',
    },
    body: typeof params === 'string' ? params : JSON.stringify(params),
  });
  const body = (await response.json()) as { error: { type: string; message: string }; request_id: string };
  expect(body.request_id).toBe(response.headers.get('request-id'));
  return { status: response.status, type: body.error.type, message: body.error.message };
}

const withSchema = (schema: unknown): unknown => ({
  ...base,
  output_config: { format: { type: 'json_schema', schema } },
});
const withContent = (...content: unknown[]): unknown => ({ ...base, messages: [{ role: 'user', content }] });
const tool = (schema: Json): Json => ({ name: 'record', strict: true, input_schema: schema });
const many = (count: number, property: Json): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, property]));

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
    const seen = await refusal(params);
    expect(seen.status).toBe(status);
    expect(seen.type).toBe(status === 404 ? 'not_found_error' : 'invalid_request_error');
    expect(seen.message).toContain(message);
  });

  test.each(['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-fable-5-1'])(
    'a forced tool on %s',
    async (model) => {
      const forced = { ...base, model, output_config: {}, tools: [tool(claimSchema)] };
      for (const choice of [{ type: 'tool', name: 'record' }, { type: 'any' }]) {
        expect((await refusal({ ...forced, tool_choice: choice })).message).toContain('tool_choice.type');
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
    const seen = await refusal(`{"model": "${'x'.repeat(33 * 1024 * 1024)}"}`);
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

describe('images', () => {
  const image = (data: Buffer, type: string): unknown =>
    withContent({
      type: 'image',
      source: { type: 'base64', media_type: type, data: data.toString('base64') },
    });
  const png = (width: number, height: number): Buffer => {
    const bytes = Buffer.alloc(33);
    bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes;
  };
  const jpeg = (width: number, height: number): Buffer => {
    const bytes = Buffer.from('ffd8ffe000040000ffc00011080000000003', 'hex');
    bytes.writeUInt16BE(height, 13);
    bytes.writeUInt16BE(width, 15);
    return bytes;
  };
  const webp = (width: number, height: number): Buffer => {
    const bytes = Buffer.alloc(30);
    bytes.write('RIFF\0\0\0\0WEBPVP8X', 'latin1');
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
    return bytes;
  };

  test.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/webp', webp],
  ])(
    '%s up to 8,000 pixels a side are taken and answered with nothing, larger ones refused',
    async (type, draw) => {
      for (const [width, height] of [
        [8001, 10],
        [10, 8001],
      ] as const) {
        expect((await refusal(image(draw(width, height), type))).message).toContain('8000 pixels');
      }
      const taken = await client.messages.create(
        image(draw(8000, 8000), type) as Anthropic.MessageCreateParamsNonStreaming,
      );
      expect([taken.stop_reason, taken.content]).toEqual(['end_turn', []]);
    },
  );

  test('over 10 MB are refused', async () => {
    const large = Buffer.concat([png(10, 10), Buffer.alloc(10 * 1024 * 1024)]);
    expect((await refusal(image(large, 'image/png'))).message).toContain('10 MB');
  });
});

describe('a schema that does not compile is refused', () => {
  const recursive = {
    ...strict({ child: { $ref: '#/$defs/node' } }),
    $defs: { node: strict({ child: { $ref: '#/$defs/node' } }) },
  };
  test.each<[string, string, unknown]>([
    ['numeric bounds', "'minimum'", strict({ a: { type: 'number', minimum: 0 } })],
    ['length bounds', "'maxLength'", strict({ a: { type: 'string', maxLength: 9 } })],
    ['maxItems', "'maxItems'", strict({ a: { type: 'array', items: text, maxItems: 3 } })],
    ['minItems above 1', 'minItems', strict({ a: { type: 'array', items: text, minItems: 2 } })],
    ['oneOf', "'oneOf'", strict({ a: { oneOf: [text] } })],
    ['open objects', 'additionalProperties', { type: 'object', properties: { a: text } }],
    [
      'open objects inside lists',
      'additionalProperties',
      strict({ a: { type: 'array', items: { type: 'object' } } }),
    ],
    ['recursion', 'Recursive', recursive],
    ['a reference to elsewhere', 'local', strict({ a: { $ref: 'https://example.com/s.json' } })],
    ['a reference to nothing', 'points to nothing', strict({ a: { $ref: '#/$defs/none' } })],
    ['look-ahead', 'pattern', strict({ a: { type: 'string', pattern: '^(?=x)' } })],
    ['an unknown format', "'iban'", strict({ a: { type: 'string', format: 'iban' } })],
    [
      'more than 24 optional properties',
      'at most 24',
      { type: 'object', additionalProperties: false, properties: many(25, text) },
    ],
    ['more than 16 unions', 'at most 16', strict(many(17, { type: ['string', 'null'] }))],
    ['a schema that is no object', 'should be an object', 'string'],
  ])('%s', async (_, message, schema) => {
    expect((await refusal(withSchema(schema))).message).toContain(message);
    if (typeof schema !== 'object' || schema === null || !('type' in schema)) return;
    const strictTool = { ...base, output_config: {}, tools: [tool(schema as Json)] };
    expect((await refusal(strictTool)).message).toContain(message);
  });

  test('24 optional properties and 16 unions are taken', async () => {
    const schema = { type: 'object', additionalProperties: false, properties: many(24, text) };
    await client.messages.create(extraction(schema, letter));
    await client.messages.create(extraction(strict(many(16, { type: ['string', 'null'] })), letter));
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
    expect((await refusal(base, '/v1/complete')).status).toBe(404);
  });
});

test('refused requests are counted as such and meet no document', async () => {
  const before = standin.stats();
  await refusal({ ...base, temperature: 0 });
  const after = standin.stats();
  expect((after.outcomes['rejected'] ?? 0) - (before.outcomes['rejected'] ?? 0)).toBe(1);
  expect(after.documents).toEqual(before.documents);
});
