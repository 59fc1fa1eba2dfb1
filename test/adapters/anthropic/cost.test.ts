import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../../src/adapters/anthropic/cost.js';
import { estimateUsage } from '../../../src/adapters/anthropic/estimate.js';
import { findModel } from '../../../src/adapters/anthropic/models.js';
import { prices, pricesAsOf } from '../../../src/adapters/anthropic/prices.js';
import type { Usage } from '../../../src/domain/usage.js';
import { packPages, pagesMediaType } from '../../../src/ports/page-images.js';
import { extractorAt, request } from './ask.js';

const usage = (counts: Partial<Usage>): Usage => ({
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  thinkingTokens: 0,
  ...counts,
});
const cost = (id: keyof typeof prices, counts: Partial<Usage>) => costOf(usage(counts), prices[id]);

describe('what a call costs', () => {
  it.each([
    ['claude-haiku-5-5', { inputTokens: 1_000_000 - 900_000, outputTokens: 0 }, '0.01'],
    ['claude-haiku-5-5', { inputTokens: 100_000, outputTokens: 1_000_000 }, '0.51'],
    ['claude-haiku-5-5', { inputTokens: 100_001, outputTokens: 1_000_000 }, '2.5500005'],
    ['claude-sonnet-5-5', { inputTokens: 3_187, outputTokens: 911 }, '0.015484'],
    ['claude-opus-5-5', { inputTokens: 1, outputTokens: 1 }, '0.000024'],
    ['claude-fable-5-1', { inputTokens: 100, outputTokens: 10 }, '0.0015'],
    ['claude-sonnet-5', { inputTokens: 1_000_000, outputTokens: 0 }, '2'],
    ['claude-opus-5', { inputTokens: 0, outputTokens: 1_000_000 }, '25'],
    ['claude-haiku-4-5', { inputTokens: 0, outputTokens: 0 }, '0'],
  ] as const)('%s for %j is %s US dollars', (id, counts, amount) => {
    expect(cost(id, counts)).toEqual({ amount, currency: 'USD' });
  });

  it('prices cache writes and reads by their factors, and the long prompt by all of them together', () => {
    const cached = { inputTokens: 32_010, cacheWriteTokens: 2_000, cacheReadTokens: 30_000 };
    // (10 + 2,000 x 1.25 + 30,000 x 0.05) x 2 / 1,000,000
    expect(cost('claude-sonnet-5-5', cached).amount).toBe('0.00802');
    // (10 + 2,000 x 1.25 + 30,000 x 0.1) x 0.10 / 1,000,000
    expect(cost('claude-haiku-5-5', cached).amount).toBe('0.000551');
    // (1 + 100,000 x 0.1) x 0.50 / 1,000,000
    expect(cost('claude-haiku-5-5', { inputTokens: 100_001, cacheReadTokens: 100_000 }).amount).toBe(
      '0.0050005',
    );
  });

  it('does not count thinking twice: it is part of the output', () => {
    const output = { outputTokens: 400 };
    expect(cost('claude-opus-5', { ...output, thinkingTokens: 300 })).toEqual(cost('claude-opus-5', output));
  });

  it('is exact: the cost of many tokens is that of one, times their number, in whole billionths of a cent', () => {
    const id = fc.constantFrom(...(Object.keys(prices) as (keyof typeof prices)[]));
    const tokens = fc.nat(100_000);
    fc.assert(
      fc.property(id, tokens, tokens, (model, inputTokens, outputTokens) => {
        const { amount } = cost(model, { inputTokens, outputTokens });
        expect(amount).toMatch(/^\d+(\.\d{1,8})?$/);
        const [whole = '', part = ''] = amount.split('.');
        const scaled = BigInt(whole + part.padEnd(8, '0'));
        const cents = (price: string) => BigInt(Math.round(Number(price) * 100));
        const expected =
          BigInt(inputTokens) * cents(prices[model].input) +
          BigInt(outputTokens) * cents(prices[model].output);
        expect(scaled).toBe(expected);
      }),
    );
  });

  it('comes from a price list that says its day', () => {
    expect(pricesAsOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });
});

describe('the estimate before a call', () => {
  const extractor = extractorAt('http://127.0.0.1:9');
  const estimated = (mediaType: string, bytes: Uint8Array) =>
    estimateUsage(request({ document: { mediaType, bytes } })).inputTokens;
  const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

  it('is the input by size and the output at its ceiling, priced, and known to be an estimate', () => {
    const spending = extractor.estimate(request({ maxTokens: 4_000 }));
    const { inputTokens } = estimateUsage(request());
    expect(spending).toEqual({
      tokens: inputTokens + 4_000,
      cost: cost('claude-haiku-5-5', { inputTokens, outputTokens: 4_000 }),
      known: false,
    });
    expect(extractor.zeroCost).toEqual({ amount: '0', currency: 'USD' });
  });

  it('grows by a token for every three bytes of text, wherever the text is', () => {
    const base = estimated('text/plain', latin1('x'.repeat(3)));
    expect(estimated('text/plain', latin1('x'.repeat(3_003)))).toBe(base + 1_000);
    const more = (changes: Parameters<typeof request>[0]) =>
      estimateUsage(request(changes)).inputTokens - estimateUsage(request()).inputTokens;
    expect(more({ feedback: 'x'.repeat(2_000) })).toBeGreaterThanOrEqual(666);
    expect(more({ system: 'x'.repeat(9_000) })).toBeGreaterThanOrEqual(2_990);
  });

  it('counts the pages of a PDF it can see, and takes size for those it cannot', () => {
    const none = estimated('application/pdf', latin1('%PDF-1.7'));
    const three = latin1('/Type /Page\n/Type/Page/Parent /Type /Pages /Type  /Page>>');
    expect(estimated('application/pdf', three) - none).toBe(2 * 3_000);
    expect(estimated('application/pdf', new Uint8Array(500_000)) - none).toBe(9 * 3_000);
    expect(estimated('application/pdf', new Uint8Array(20 * 1024 * 1024))).toBeLessThan(2_000_000);
  });

  it('takes each page of a scan for a picture', () => {
    const page = { mediaType: 'image/png', bytes: new Uint8Array(9) };
    const one = estimated('image/png', page.bytes);
    const three = estimated(pagesMediaType, packPages([page, page, page]));
    expect(three - one).toBe(2 * 4_800);
  });

  it('takes a picture for as much as the provider ever counts for one', () => {
    expect(estimated('image/png', new Uint8Array(9))).toBe(
      estimated('image/webp', new Uint8Array(9_000_000)),
    );
  });

  it('refuses a model without a price, since it cannot be free', () => {
    expect(() => extractor.estimate(request({ model: 'claude-9' }))).toThrow(/^There is no model "claude-9"/);
  });
});

describe('the model table', () => {
  it('has for every priced model its limits, and constrained output by default', () => {
    for (const id of Object.keys(prices)) {
      expect(findModel(id)).toMatchObject({
        id,
        defaultMode: 'constrained',
        modes: ['constrained', 'tool', 'plain'],
      });
    }
    expect(findModel('claude-haiku-4-5')).toMatchObject({ contextTokens: 200_000, maxOutputTokens: 64_000 });
    expect(findModel('claude-9')).toBeNull();
    expect(findModel('toString')).toBeNull();
  });

  it('forces no tool on the models that refuse it', () => {
    const refusing = ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-fable-5-1'];
    for (const id of Object.keys(prices)) expect(findModel(id)?.forcedTool).toBe(!refusing.includes(id));
  });
});
