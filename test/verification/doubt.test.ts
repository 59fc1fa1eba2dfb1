import { describe, expect, it } from 'vitest';
import type { Constraint } from '../../src/verification/constraint.js';
import { baseTimesRate, lineArithmetic } from '../../src/verification/constraints/line-arithmetic.js';
import { printedInDocument } from '../../src/verification/constraints/printed-in-document.js';
import { printedRowCount } from '../../src/verification/constraints/row-count.js';
import { sumEqualsTotal } from '../../src/verification/constraints/sum-equals-total.js';
import { renderFeedback } from '../../src/verification/feedback.js';
import type { Problem } from '../../src/verification/problem.js';
import { verify } from '../../src/verification/verify.js';

const page = ['Drying      1,000.25', 'Carpet        204.12', 'Paint          51.20', 'Total       1,255.57'];
const text = { pages: [page.join('\n')] };
const rows = (...amounts: string[]) => amounts.map((amount) => ({ amount }));
const sum = sumEqualsTotal({ id: 'sum', addends: ['/rows/*/amount'], total: '/total' });
const printed = [
  printedInDocument({ field: '/rows/*/amount', kind: 'money' }),
  printedInDocument({ field: '/total', kind: 'money' }),
];

function problems(record: unknown, rules: readonly Constraint<unknown>[]): readonly Problem[] {
  const verdict = verify(record, rules, { text, previous: null });
  if (verdict.kind !== 'broken') throw new Error(`expected broken rules, not ${verdict.kind}`);
  return verdict.problems;
}

const doubtful =
  'The amounts do not add up to the total, but one of them breaks a rule of its own: correct that one first.';

describe('a total that is not the sum', () => {
  it('is not told to be the sum of lines of which one is printed nowhere', () => {
    // 204.12 was read as 240.12: the lines add up to 1,291.57, and the printed total is right.
    const record = { rows: rows('1000.25', '240.12', '51.20'), total: '1255.57' };
    const found = problems(record, [sum, ...printed]);
    expect(found).toEqual([
      { rule: 'sum', pointer: '/total', message: doubtful, expected: null, found: '1255.57' },
      expect.objectContaining({ rule: 'printed/rows/amount', pointer: '/rows/1/amount', found: '240.12' }),
    ]);
    expect(renderFeedback(found)).not.toContain('1291.57');
    // Whichever rule comes first.
    expect(renderFeedback(problems(record, [...printed, sum]))).not.toContain('1291.57');
  });

  it('is told what it should be while nothing is wrong with the lines', () => {
    const record = { rows: rows('1000.25', '204.12', '51.20'), total: '1255.75' };
    expect(problems(record, [sum, ...printed])).toEqual([
      {
        ...{ rule: 'sum', pointer: '/total', expected: '1255.57', found: '1255.75' },
        message: 'The amounts add up to 1255.57, which is not the total.',
      },
      expect.objectContaining({ rule: 'printed/total', pointer: '/total' }),
    ]);
  });

  it('is not told to be the sum of the rows that are left', () => {
    const count = printedRowCount({ items: '/rows', count: '/count' });
    const record = { rows: rows('1000.25', '204.12'), count: '3', total: '1255.57' };
    expect(problems(record, [sum, count])).toMatchObject([
      { rule: 'sum', message: doubtful, expected: null },
      { rule: 'line-count-as-printed', pointer: '/rows', expected: '3 rows' },
    ]);
  });

  it('is told although something else is wrong, or the record as a whole', () => {
    const elsewhere: Constraint<unknown> = {
      ...{ id: 'elsewhere', version: 1, says: 'something else', repairable: true },
      check: () =>
        ['', '/rows/1/amounts', '/row'].map((pointer) => ({
          ...{ pointer, message: 'no', expected: null, found: null },
        })),
    };
    const record = { rows: rows('1000.25', '204.12', '51.20'), total: '1255.75' };
    expect(problems(record, [elsewhere, sum]).at(-1)).toMatchObject({ rule: 'sum', expected: '1255.57' });
  });
});

it('a rule does not put itself in doubt', () => {
  const rule: Constraint<unknown> = {
    ...{ id: 'both', version: 1, says: 'a is 1 and b is a', repairable: true },
    check: () => [
      { pointer: '/a', message: 'a is not 1.', expected: '1', found: '2' },
      {
        ...{ pointer: '/b', message: 'b is not a.', expected: '2', found: '3' },
        computed: { from: ['/a'], inDoubt: 'b is not a, which may be wrong.' },
      },
    ],
  };
  expect(problems({}, [rule])).toMatchObject([{ expected: '1' }, { expected: '2', message: 'b is not a.' }]);
});

describe('a product that is not the amount', () => {
  const arithmetic = lineArithmetic({
    ...{ items: '/rows', quantity: 'quantity', unitPrice: 'price', amount: 'amount', currency: '/currency' },
  });
  const prices = printedInDocument({ field: '/rows/*/price', kind: 'money' });
  const line = (quantity: string, price: string, amount: string) => ({ quantity, price, amount });

  it('is not told where a factor was misread, and told for the other lines', () => {
    const record = { currency: 'EUR', rows: [line('2', '15.20', '102.40'), line('3', '51.20', '153.00')] };
    expect(problems(record, [arithmetic, prices])).toMatchObject([
      {
        pointer: '/rows/0/amount',
        expected: null,
        found: '102.4',
        message: expect.not.stringContaining('30.4'),
      },
      {
        pointer: '/rows/1/amount',
        expected: '153.60',
        message: '3 times 51.2 is 153.6, which is not the amount.',
      },
      { rule: 'printed/rows/price', pointer: '/rows/0/price' },
    ]);
  });

  it('leaves the tax of a net total in doubt in doubt', () => {
    const net = sumEqualsTotal({ id: 'net', addends: ['/rows/*/amount'], total: '/net' });
    const tax = baseTimesRate({ base: '/net', rate: '/rate', amount: '/tax', currency: '/currency' });
    const gross = sumEqualsTotal({ id: 'gross', addends: ['/net', '/tax'], total: '/gross' });
    // The net total was misread: 10 for 100. The tax of 19 and the total of 119 are right.
    const record = {
      currency: 'EUR',
      rows: rows('60.00', '40.00'),
      net: '10.00',
      rate: '19',
      tax: '19.00',
      gross: '119.00',
    };
    expect(problems(record, [net, tax, gross])).toMatchObject([
      { rule: 'net', pointer: '/net', expected: '100.00' },
      { rule: 'tax-arithmetic', pointer: '/tax', expected: null },
      { rule: 'gross', pointer: '/gross', expected: null },
    ]);
  });
});
