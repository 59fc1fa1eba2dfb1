import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { claimSchema, extraction, type Json, refusal, startStandin, strict } from './asking.js';

const { client, url } = await startStandin();

const letter = 'Claim No.: CL-1\nPolicy No.: P-2';
const base = extraction(claimSchema, letter);
const text = { type: 'string' };

const withSchema = (schema: unknown): unknown => ({
  ...base,
  output_config: { format: { type: 'json_schema', schema } },
});
const withContent = (...content: unknown[]): unknown => ({ ...base, messages: [{ role: 'user', content }] });
const tool = (schema: Json): Json => ({ name: 'record', strict: true, input_schema: schema });
const many = (count: number, property: Json): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, property]));

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
    const bytes = Buffer.from('ffd8ffe000040000ffffc00011080000000003', 'hex');
    bytes.writeUInt16BE(height, 14);
    bytes.writeUInt16BE(width, 16);
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
        expect((await refusal(url, image(draw(width, height), type))).message).toContain('8000 pixels');
      }
      const taken = await client.messages.create(
        image(draw(8000, 8000), type) as Anthropic.MessageCreateParamsNonStreaming,
      );
      expect([taken.stop_reason, taken.content]).toEqual(['end_turn', []]);
    },
  );

  test('over 10 MB are refused', async () => {
    const sized = (bytes: number) => Buffer.concat([png(10, 10), Buffer.alloc(bytes - 33)]);
    // Counted in base64, which is a third longer than the bytes.
    const most = (10 * 1024 * 1024 * 3) / 4;
    expect((await refusal(url, image(sized(most + 1), 'image/png'))).message).toContain('10 MB');
    const taken = await client.messages.create(
      image(sized(most), 'image/png') as Anthropic.MessageCreateParamsNonStreaming,
    );
    expect(taken.stop_reason).toBe('end_turn');
  });

  test('of which there are more than 20 have at most 2,000 pixels a side, and 600 are the most', async () => {
    const images = (count: number, side: number): unknown =>
      withContent(
        ...Array.from({ length: count }, () => ({
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: png(side, 10).toString('base64') },
        })),
      );
    expect((await refusal(url, images(21, 2001))).message).toContain('2000 pixels');
    expect((await refusal(url, images(601, 10))).message).toContain('600 images');
    for (const fine of [images(20, 2001), images(600, 2000)]) {
      const taken = await client.messages.create(fine as Anthropic.MessageCreateParamsNonStreaming);
      expect(taken.stop_reason).toBe('end_turn');
    }
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
    expect((await refusal(url, withSchema(schema))).message).toContain(message);
    if (typeof schema !== 'object' || schema === null || !('type' in schema)) return;
    const strictTool = { ...base, output_config: {}, tools: [tool(schema as Json)] };
    expect((await refusal(url, strictTool)).message).toContain(message);
  });

  test('24 optional properties and 16 unions are taken', async () => {
    const schema = { type: 'object', additionalProperties: false, properties: many(24, text) };
    await client.messages.create(extraction(schema, letter));
    await client.messages.create(extraction(strict(many(16, { type: ['string', 'null'] })), letter));
  });
});
