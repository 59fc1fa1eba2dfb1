import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, extractorAt, faultOf, patience, request } from './ask.js';
import { json, message, type Provider, startProvider } from './provider.js';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

async function reply(parts: Parameters<typeof message>[0], changes: Parameters<typeof request>[0] = {}) {
  provider.answers(json(message(parts)));
  return await ask(provider.baseUrl, changes);
}

const text = (...texts: string[]) => JSON.stringify(texts.map((one) => ({ type: 'text', text: one })));
const digits = '{"total":12345678901234567890.123,"claim":2512292042121000001,"rate":1.10e0,"zero":-0.00}';

describe('the reply', () => {
  it.each([
    'end_turn',
    'stop_sequence',
    'tool_use',
    'max_tokens',
    'model_context_window_exceeded',
    'pause_turn',
    'refusal',
    'a_reason_of_next_year',
  ])('keeps the stop reason %s as the provider spelled it', async (stopReason) => {
    expect(await reply({ stopReason, content: text('{"a":1}') })).toMatchObject({
      stopReason,
      text: '{"a":1}',
    });
  });

  it('of a refusal may be prose or nothing', async () => {
    const prose = await reply({ stopReason: 'refusal', content: text('I cannot help with that.') });
    expect([prose.stopReason, prose.text]).toEqual(['refusal', 'I cannot help with that.']);
    const nothing = await reply({ stopReason: 'refusal', content: '[]' });
    expect([nothing.stopReason, nothing.text]).toEqual(['refusal', '']);
    expect(nothing.spending.known).toBe(true);
  });

  it('may be empty though complete, and thinking is no part of it', async () => {
    expect(await reply({ content: '[]' })).toMatchObject({ stopReason: 'end_turn', text: '' });
    const thought =
      '[{"type":"thinking","thinking":"{\\"draft\\":1}","signature":"s"},{"type":"redacted_thinking","data":"x"}]';
    expect(await reply({ content: thought, stopReason: 'max_tokens' })).toMatchObject({ text: '' });
  });

  it('joins its text blocks and passes over blocks of types that are not known', async () => {
    const content =
      '[{"type":"text","text":"{\\"a\\":"},{"type":"new_block","text":"x"},7,null,{"type":"text","text":"1}"},{"type":"text"}]';
    expect((await reply({ content })).text).toBe('{"a":1}');
  });

  it('names the mode that was used, the request and its cost', async () => {
    expect(await reply({ content: text('{}') })).toEqual({
      stopReason: 'end_turn',
      mode: 'constrained',
      text: '{}',
      requestId: 'req_test_1',
      usage: {
        inputTokens: 100,
        outputTokens: 20,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        thinkingTokens: 0,
      },
      spending: { tokens: 120, cost: { amount: '0.00002', currency: 'USD' }, known: true },
    });
  });
});

describe('the digits of numbers', () => {
  it.each(['constrained', 'plain'] as const)('survive in %s mode', async (mode) => {
    expect(await reply({ content: text(digits) }, { mode })).toMatchObject({ mode, text: digits });
  });

  it('survive in tool mode, where the input is a part of the message itself', async () => {
    const content = `[{"type":"text","text":"Here: {}"} , {"type":"tool_use","id":"t","name":"record","input": ${digits} }]`;
    expect(await reply({ content, stopReason: 'tool_use' }, { mode: 'tool' })).toMatchObject({
      mode: 'tool',
      stopReason: 'tool_use',
      text: digits,
    });
  });

  it('survive in tool mode for any record, in any spacing, with any escapes', async () => {
    const space = fc.constantFrom('', ' ', '\n\t');
    const number = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/);
    const string = fc.string({ unit: 'binary' }).map((one) => JSON.stringify(one));
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        number,
        string,
        fc.constantFrom('true', 'false', 'null', '{}', '[]', '{ }'),
        fc
          .tuple(fc.array(tie('value'), { maxLength: 3 }), space)
          .map(([all, gap]) => `[${gap}${all.join(`${gap},`)}${gap}]`),
        fc
          .tuple(fc.array(fc.tuple(string, tie('value')), { maxLength: 3 }), space)
          .map(
            ([all, gap]) =>
              `{${gap}${all.map(([key, one]) => `${key}${gap}:${gap}${one}`).join(`${gap},${gap}`)}${gap}}`,
          ),
      ),
    }));
    const extractor = extractorAt(provider.baseUrl);
    await fc.assert(
      fc.asyncProperty(value, space, async (input, gap) => {
        const block = `{"id":"t","input":${gap}${input}${gap},${gap}"name":"record"${gap},"type":"tool_use"}`;
        provider.answers(json(message({ content: `[${gap}${block}${gap}]`, stopReason: 'tool_use' })));
        expect((await extractor.call(request({ mode: 'tool' }), patience())).text).toBe(input);
      }),
      { numRuns: 150 },
    );
  });

  it('leave a duplicate key of the record for the reader to see', async () => {
    const content = '[{"type":"tool_use","id":"t","name":"record","input":{"total":10,"total":99}}]';
    expect((await reply({ content }, { mode: 'tool' })).text).toBe('{"total":10,"total":99}');
  });

  it.each([
    '[{"type":"tool_use","id":"t","name":"record","input":{"total":10},"input":{"total":99}}]',
    '[{"type":"tool_use","id":"t","name":"record","input":{"total":10},"inpu\\u0074":{"total":99}}]',
  ])('are of no use in a message that says the input twice: %s', async (content) => {
    provider.answers(json(message({ content })));
    expect(await faultOf(ask(provider.baseUrl, { mode: 'tool' }))).toMatchObject({
      kind: 'transient',
      faultClass: 'bad_body',
    });
  });

  it('come from every tool call there is, since choosing one is not for an adapter', async () => {
    const call = (input: string) => `{"type":"tool_use","id":"t","name":"record","input":${input}}`;
    const content = `[${call('{"a":1}')},${call('{"a":2}')}]`;
    expect((await reply({ content }, { mode: 'tool' })).text).toBe('{"a":1}\n{"a":2}');
  });

  it('come from the text when the model called no tool', async () => {
    expect((await reply({ content: text('{"a":1.0}') }, { mode: 'tool' })).text).toBe('{"a":1.0}');
  });

  it('survive however deep the record is nested', async () => {
    const deep = `${'['.repeat(50_000)}1.50${']'.repeat(50_000)}`;
    const content = `[{"type":"tool_use","id":"t","name":"record","input":${deep}}]`;
    expect((await reply({ content }, { mode: 'tool' })).text).toBe(deep);
  });
});

describe('the usage', () => {
  it('counts cache writes and reads as input, and thinking beside the output it is part of', async () => {
    const usage =
      '{"input_tokens":10,"cache_creation_input_tokens":2000,"cache_read_input_tokens":30000,"output_tokens":400,"output_tokens_details":{"thinking_tokens":300},"service_tier":"standard"}';
    expect(await reply({ usage })).toMatchObject({
      usage: {
        inputTokens: 32_010,
        outputTokens: 400,
        cacheReadTokens: 30_000,
        cacheWriteTokens: 2_000,
        thinkingTokens: 300,
      },
      spending: { tokens: 32_410, known: true },
    });
  });

  it('takes null for no cache', async () => {
    const usage =
      '{"input_tokens":5,"cache_creation_input_tokens":null,"cache_read_input_tokens":null,"output_tokens":6}';
    expect(await reply({ usage })).toMatchObject({
      usage: { inputTokens: 5, outputTokens: 6, cacheReadTokens: 0 },
    });
  });

  it.each([
    null,
    'null',
    '{}',
    '[]',
    '{"input_tokens":5}',
    '{"output_tokens":5}',
    '{"input_tokens":-1,"output_tokens":5}',
    '{"input_tokens":"5","output_tokens":5}',
    '{"input_tokens":1.5,"output_tokens":5}',
    '{"input_tokens":5,"output_tokens":5,"cache_read_input_tokens":"many"}',
  ])('that does not say (%j) is unknown and costs its estimate, never nothing', async (usage) => {
    const { usage: read, spending } = await reply({ usage });
    expect(read).toBe('unknown');
    expect(spending).toEqual(extractorAt(provider.baseUrl).estimate(request()));
    expect(spending.known).toBe(false);
    expect(spending.tokens).toBeGreaterThan(1500);
  });
});
