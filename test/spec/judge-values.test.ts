import { describe, expect, it } from 'vitest';
import { currencyCode, defineSpec, minorUnits, money } from '../../src/spec/index.js';
import { judgeValues } from '../../src/spec/judge-values.js';
import type { Spec } from '../../src/spec/spec.js';

const receipt = defineSpec({
  id: 'receipt',
  title: 'Receipt',
  schemaVersion: '1',
  prompt: { version: '1', text: 'Read the receipt.' },
  fields: { currency: currencyCode('Currency'), total: money('Total') },
  constraints: [
    minorUnits({ currency: '/currency', amounts: ['/total'] }),
    {
      id: 'not-thirteen',
      version: 1,
      says: 'A total of 13 breaks this rule itself.',
      repairable: true,
      check: ({ total }) => {
        if (total === '13.00') throw new RangeError('thirteen');
        return [];
      },
    },
  ],
}) as unknown as Spec;

describe('values that a person stands for', () => {
  it('hold when schema and rules have nothing against them', () => {
    expect(judgeValues(receipt, { currency: 'EUR', total: '12.00' }, null)).toMatchObject({
      kind: 'checked',
      unmet: [],
    });
  });

  it('leave a rule unmet', () => {
    const { kind, unmet } = judgeValues(receipt, { currency: 'JPY', total: '12.50' }, null);
    expect([kind, unmet.map(({ pointer }) => pointer)]).toEqual(['checked', ['/total']]);
  });

  it('are asked no rule when their shape is wrong', () => {
    const { kind, unmet } = judgeValues(receipt, { currency: 'JPY' }, null);
    expect([kind, unmet.map(({ rule }) => rule)]).toEqual(['misshapen', ['schema/missing']]);
  });

  it('leave a rule unmet that throws', () => {
    const { kind, unmet } = judgeValues(receipt, { currency: 'EUR', total: '13.00' }, null);
    expect([kind, unmet.map(({ rule }) => rule)]).toEqual(['checked', ['not-thirteen']]);
  });
});
