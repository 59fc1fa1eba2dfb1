import { describe, expect, test } from 'vitest';
import { claimSchema, extraction, recordOf, startStandin, textOf } from './asking.js';

const rows = Array.from(
  { length: 40 },
  (_, index) => `Drying of room ${index + 1}          ${index + 10}.25`,
);
const long = ['Claim No.: CL-9', 'Currency: EUR', 'Description              Amount', ...rows].join('\n');
const { client } = await startStandin();

describe('an answer longer than its ceiling', () => {
  test('is cut off for good, and the tokens it cost are the ceiling', async () => {
    const whole = await client.messages.create(extraction(claimSchema, long));
    const cut = await client.messages.create(extraction(claimSchema, long, { maxTokens: 200 }));
    expect(whole.stop_reason).toBe('end_turn');
    expect(cut.stop_reason).toBe('max_tokens');
    expect(cut.usage.output_tokens).toBe(200);
    expect(textOf(cut)).toBe(textOf(whole).slice(0, 700));
    expect(() => recordOf(cut)).toThrow(SyntaxError);
  });

  test('is whole one token later, and not one token earlier', async () => {
    const needed = (await client.messages.create(extraction(claimSchema, long))).usage.output_tokens;
    const fits = await client.messages.create(extraction(claimSchema, long, { maxTokens: needed }));
    const short = await client.messages.create(extraction(claimSchema, long, { maxTokens: needed - 1 }));
    expect([fits.stop_reason, short.stop_reason]).toEqual(['end_turn', 'max_tokens']);
  });

  test('as a tool call keeps the members that were complete', async () => {
    const cut = await client.messages.create(extraction(claimSchema, long, { maxTokens: 200, mode: 'tool' }));
    const [block] = cut.content;
    expect(cut.stop_reason).toBe('max_tokens');
    expect(block).toMatchObject({ type: 'tool_use', input: { claim_number: 'CL-9', currency: 'EUR' } });
    expect(block).not.toHaveProperty('input.line_items');
  });

  test('never ends in half a character', async () => {
    const document = `Claimant: ${'🦀'.repeat(200)}`;
    const schema = { ...claimSchema, required: ['claimant'], properties: { claimant: { type: 'string' } } };
    for (const maxTokens of [20, 21, 22, 23]) {
      const cut = textOf(await client.messages.create(extraction(schema, document, { maxTokens })));
      expect(cut).not.toMatch(/[\uD800-\uDBFF]$/);
    }
  });
});

test('a context window that runs out is another stop reason', async () => {
  const { usage } = await client.messages.create(extraction(claimSchema, long));
  const contextTokens = usage.input_tokens + Math.floor(usage.output_tokens / 2);
  const { client: narrow } = await startStandin({ contextTokens });
  const cut = await narrow.messages.create(extraction(claimSchema, long));
  expect(cut.stop_reason).toBe('model_context_window_exceeded');
  expect(cut.usage.input_tokens + cut.usage.output_tokens).toBe(contextTokens);
});

describe('thinking', () => {
  test('counts toward the ceiling, so a cut reply may hold no text at all', async () => {
    const { client: thinker } = await startStandin({ thinkingTokens: 300 });
    const cut = await thinker.messages.create(extraction(claimSchema, long, { maxTokens: 200 }));
    expect(cut.stop_reason).toBe('max_tokens');
    expect(cut.content.map((block) => block.type)).toEqual(['thinking']);
    const whole = await thinker.messages.create(extraction(claimSchema, long));
    expect(whole.usage.output_tokens_details?.thinking_tokens).toBe(300);
    expect(whole.usage.output_tokens).toBeGreaterThan(300);
    expect(recordOf(whole)).toMatchObject({ claim_number: 'CL-9' });
  });
});

describe('usage', () => {
  test('of input grows with the document and agrees with count_tokens', async () => {
    const { max_tokens: _, ...counted } = extraction(claimSchema, long);
    const { input_tokens } = await client.messages.countTokens(counted);
    const { usage } = await client.messages.create(extraction(claimSchema, long));
    expect(usage.input_tokens).toBe(input_tokens);
    const short = await client.messages.create(extraction(claimSchema, 'Claim No.: CL-9'));
    expect(input_tokens - short.usage.input_tokens).toBeGreaterThan(long.length / 4);
  });

  test('of a marked prefix is written once and read after that', async () => {
    const { client: fresh } = await startStandin();
    const request = {
      ...extraction(claimSchema, long),
      system: [
        { type: 'text' as const, text: 'rule '.repeat(2000), cache_control: { type: 'ephemeral' as const } },
      ],
    };
    const first = (await fresh.messages.create(request)).usage;
    const second = (await fresh.messages.create(request)).usage;
    expect(first.cache_creation_input_tokens).toBeGreaterThan(2000);
    expect(first.cache_read_input_tokens).toBe(0);
    expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens);
    expect(second.cache_creation_input_tokens).toBe(0);
    expect(second.input_tokens).toBe(first.input_tokens);
  });

  test('is missing from replies when asked to be', async () => {
    const { client: mute } = await startStandin({ missingUsage: 1 });
    expect(await mute.messages.create(extraction(claimSchema, long))).not.toHaveProperty('usage');
  });
});

test('an unknown stop reason still carries the answer', async () => {
  const { client: odd } = await startStandin({ unknownStop: 1 });
  const message = await odd.messages.create(extraction(claimSchema, long));
  expect(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal']).not.toContain(
    message.stop_reason,
  );
  expect(recordOf(message)).toMatchObject({ claim_number: 'CL-9' });
});

test('an empty reply is a complete stop without text', async () => {
  const { client: silent } = await startStandin({ emptyReply: 1 });
  const message = await silent.messages.create(extraction(claimSchema, long));
  expect([message.stop_reason, message.content]).toEqual(['end_turn', []]);
});
