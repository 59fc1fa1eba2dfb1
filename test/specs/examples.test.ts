import { describe, expect, it } from 'vitest';
import specs from '../../specs/index.js';
import { printRecord } from '../../src/spec/print-record.js';
import { problemsOf } from '../../src/spec/read-record.js';
import { currencyCodes, minorUnitsOf } from '../../src/verification/currencies.js';
import { printedPlaces } from '../../src/verification/decimal-text.js';
import { expand } from '../../src/verification/pointer.js';
import { verify } from '../../src/verification/verify.js';

const named = ['claim', 'invoice', 'invoice-plain'];

describe.each(specs.filter(({ id }) => named.includes(id)))('the examples of $id', (spec) => {
  it('satisfy every rule in every currency there is', () => {
    for (const code of currencyCodes) {
      for (const record of spec.examples?.(code, minorUnitsOf(code) ?? 0) ?? []) {
        expect(problemsOf(spec, record)).toEqual([]);
        const context = { text: printRecord(spec.fields, record), previous: null };
        expect(verify(record, spec.constraints, context).kind, code).toBe('holds');
      }
    }
  });

  it('use every decimal of the currency', () => {
    for (const [code, places] of [
      ['JPY', 0],
      ['EUR', 2],
      ['BHD', 3],
      ['CLF', 4],
    ] as const) {
      const records = spec.examples?.(code, places) ?? [];
      const totals = records.flatMap((record) =>
        expand(record, spec.id === 'claim' ? '/total_claimed' : '/total'),
      );
      expect(totals.map(({ value }) => printedPlaces(String(value)))).toEqual([places, places]);
    }
  });
});

describe('the example specs', () => {
  it('go where the papers of their kind should go', () => {
    const routes = Object.fromEntries(specs.map((spec) => [spec.id, spec.policy.routes.map(({ to }) => to)]));
    const claim = ['human_review', 'fallback', 'human_review', 'dead_letter', 'human_review', 'dead_letter'];
    const invoice = ['human_review', 'best_effort', 'human_review', 'dead_letter'];
    expect(routes).toEqual({
      claim,
      'claim-two-decimals': claim,
      invoice,
      'invoice-plain': invoice,
    });
  });

  it('have budgets, a mode and an amount of their own', () => {
    const byId = Object.fromEntries(specs.map((spec) => [spec.id, spec]));
    expect(byId['claim']?.repairBudget).toEqual({ share: 0.4, floor: 60, windowMs: 300_000 });
    expect(byId['invoice']?.repairBudget.share).toBe(0.1);
    expect(byId['invoice-plain']?.mode).toBe('plain');
    for (const spec of specs) {
      const [record] = spec.examples?.('EUR', 2) ?? [];
      expect(spec.amount(record)?.currency).toBe('EUR');
      expect(spec.policy.models).toEqual(['claude-haiku-5-5', 'claude-sonnet-5-5']);
    }
  });
});
