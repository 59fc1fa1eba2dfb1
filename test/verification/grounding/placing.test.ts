import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Constraint } from '../../../src/verification/constraint.js';
import { printedInDocument } from '../../../src/verification/constraints/printed-in-document.js';
import { verify } from '../../../src/verification/verify.js';

const rules = [
  printedInDocument({ field: '/number', kind: 'identifier', labels: ['Invoice'] }),
  printedInDocument({ field: '/lines/*/amount', kind: 'money' }),
  printedInDocument({ field: '/lines/*/unit_price', kind: 'decimal' }),
  printedInDocument({ field: '/lines/*/quantity', kind: 'decimal' }),
  printedInDocument({ field: '/lines/*/description', kind: 'text' }),
  printedInDocument({ field: '/subtotal', kind: 'money' }),
  printedInDocument({ field: '/total', kind: 'money', labels: ['Total'] }),
];

/** Each value's place as "row:column" of its first page, and what stands there. */
function placesOf(record: unknown, ...pages: string[]): Record<string, string> {
  return placesBy(rules, record, ...pages);
}

function placesBy(
  rules: readonly Constraint<unknown>[],
  record: unknown,
  ...pages: string[]
): Record<string, string> {
  const verdict = verify(record, rules, { text: { pages }, previous: null });
  if (verdict.kind === 'fault') throw new Error(verdict.message);
  return Object.fromEntries(
    verdict.evidence.map(({ pointer, page, start, printed }) => {
      const before = (pages[page - 1] ?? '').slice(0, start).split('\n');
      return [pointer, `${before.length}:${before.at(-1)?.length} ${printed}`];
    }),
  );
}

const line = (description: string, quantity: string, unit_price: string, amount: string) => ({
  description,
  quantity,
  unit_price,
  amount,
});

describe('where equal values stand', () => {
  const bakery = [
    'Invoice 1',
    '',
    'Item         Quantity  Unit price   Amount',
    'Rye bread           1        4.80     4.80',
    'Rolls               4        0.40     1.60',
    'Rolls               1        1.60     1.60',
    '',
    'Subtotal                              8.00',
    'Total                                 8.00',
  ].join('\n');

  it('gives every value of a row a print of its own, in the order of the columns', () => {
    const record = {
      number: '1',
      lines: [
        line('Rye bread', '1', '4.80', '4.80'),
        line('Rolls', '4', '0.40', '1.60'),
        line('Rolls', '1', '1.60', '1.60'),
      ],
      subtotal: '8.00',
      total: '8.00',
    };
    expect(placesOf(record, bakery)).toEqual({
      '/number': '1:8 1',
      '/lines/0/description': '4:0 Rye bread',
      '/lines/0/quantity': '4:20 1',
      '/lines/0/unit_price': '4:29 4.80',
      '/lines/0/amount': '4:38 4.80',
      '/lines/1/description': '5:0 Rolls',
      '/lines/1/quantity': '5:20 4',
      '/lines/1/unit_price': '5:29 0.40',
      '/lines/1/amount': '5:38 1.60',
      '/lines/2/description': '6:0 Rolls',
      '/lines/2/quantity': '6:20 1',
      '/lines/2/unit_price': '6:29 1.60',
      '/lines/2/amount': '6:38 1.60',
      '/subtotal': '8:38 8.00',
      '/total': '9:38 8.00',
    });
  });

  it('knows the columns from rows without equal values, whatever the order of the fields', () => {
    const page = ['Amount  Price', ' 9.00   3.00', ' 4.80   4.80', ' 8.00   2.00'].join('\n');
    const row = (unit_price: string, amount: string) => ({ unit_price, amount });
    const record = { lines: [row('3.00', '9.00'), row('4.80', '4.80'), row('2.00', '8.00')] };
    expect(placesOf(record, page)).toMatchObject({
      '/lines/1/unit_price': '3:8 4.80',
      '/lines/1/amount': '3:1 4.80',
    });
  });

  it('goes from line to line with rows that are the same', () => {
    const page = ['a  1  2.00', 'a  1  2.00', 'a  1  2.00'].join('\n');
    const row = { quantity: '1', amount: '2.00' };
    expect(placesOf({ lines: [row, row, row] }, page)).toEqual({
      '/lines/0/quantity': '1:3 1',
      '/lines/0/amount': '1:6 2.00',
      '/lines/1/quantity': '2:3 1',
      '/lines/1/amount': '2:6 2.00',
      '/lines/2/quantity': '3:3 1',
      '/lines/2/amount': '3:6 2.00',
    });
  });

  it('lets values share a print when there is one alone', () => {
    const record = { lines: [{ unit_price: '4.80', amount: '4.80' }], total: '4.80' };
    expect(placesOf(record, 'Rye bread 4.80')).toEqual({
      '/lines/0/unit_price': '1:10 4.80',
      '/lines/0/amount': '1:10 4.80',
      '/total': '1:10 4.80',
    });
  });

  it('lets rows share a print when there are more rows than prints', () => {
    const row = { quantity: '2', amount: '9.00' };
    expect(placesOf({ lines: [row, row] }, 'Rolls 2  9.00')).toEqual({
      '/lines/0/quantity': '1:6 2',
      '/lines/0/amount': '1:9 9.00',
      '/lines/1/quantity': '1:6 2',
      '/lines/1/amount': '1:9 9.00',
    });
  });

  it('leaves what stands at a label to the field of the label', () => {
    const page = ['Total: 5.00', 'Rolls  5.00'].join('\n');
    const record = { lines: [{ amount: '5.00' }], total: '5.00' };
    expect(placesOf(record, page)).toEqual({ '/lines/0/amount': '2:7 5.00', '/total': '1:7 5.00' });
  });

  it('gives fields of one label its prints in turn, and the same one when there are no more', () => {
    const labelled = (field: string) => printedInDocument({ field, kind: 'money', labels: ['Total'] });
    const both = [labelled('/net'), labelled('/gross')];
    expect(placesBy(both, { net: '5.00', gross: '5.00' }, 'Total 5.00 5.00')).toEqual({
      '/net': '1:6 5.00',
      '/gross': '1:11 5.00',
    });
    expect(placesBy(both, { net: '5.00', gross: '5.00' }, 'Total 5.00\n\nRolls 5.00')).toEqual({
      '/net': '1:6 5.00',
      '/gross': '1:6 5.00',
    });
  });

  it('tries a line once for a row, however often the rarest value is printed on it', () => {
    const page = ['2  2', '9.00', '9.00'].join('\n');
    expect(placesOf({ lines: [{ quantity: '2', amount: '9.00' }] }, page)).toEqual({
      '/lines/0/quantity': '1:0 2',
      '/lines/0/amount': '2:0 9.00',
    });
  });

  it.each(['\n', ' '])('shares prints after a hundred tries, joined by %j', (between) => {
    const fields = Array.from({ length: 110 }, (_, at) => `f${at}`);
    const all = fields.map((name) => printedInDocument({ field: `/${name}`, kind: 'money' }));
    const record = Object.fromEntries(fields.map((name) => [name, '2.00']));
    const page = fields.map(() => '2.00').join(between);
    const places = Object.values(placesBy(all, record, page));
    expect(places).toHaveLength(110);
    // The value itself, the hundred behind it at most: whichever way they are counted.
    expect(new Set(places).size).toBeGreaterThan(40);
    expect(new Set(places).size).toBeLessThan(110);
  });

  it('finds the rest of a row that goes on below', () => {
    const page = ['4 pieces', 'Bread', '  4.00', 'Rolls 9.00', '  4  2.25'].join('\n');
    const record = {
      lines: [
        { description: 'Bread', amount: '4.00' },
        { description: 'Rolls', quantity: '4', amount: '9.00' },
      ],
    };
    expect(placesOf(record, page)).toMatchObject({
      '/lines/0/amount': '3:2 4.00',
      '/lines/1/amount': '4:6 9.00',
      '/lines/1/quantity': '5:2 4',
    });
  });

  it('holds for any table: each cell of each row at its own place', () => {
    const cell = fc.constantFrom('1', '2', '3.00', '4.80');
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 30 }), (rows) => {
        const page = rows.map((row) => row.map((text) => text.padStart(10)).join('')).join('\n');
        const record = {
          lines: rows.map(([quantity, unit_price, amount]) => ({ quantity, unit_price, amount })),
        };
        const expected = rows.flatMap((row, at) =>
          (['quantity', 'unit_price', 'amount'] as const).map((name, column) => {
            const text = row[column] ?? '';
            return [`/lines/${at}/${name}`, `${at + 1}:${(column + 1) * 10 - text.length} ${text}`];
          }),
        );
        expect(placesOf(record, page)).toEqual(Object.fromEntries(expected));
      }),
    );
  });

  it('gives no print to two values while another is free, whatever the lines say', () => {
    const word = fc.constantFrom('1', '2.00', 'Total', '\n', '  ', '3.00');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), fc.integer({ min: 1, max: 6 }), (words, count) => {
        const page = words.join(' ');
        const record = {
          lines: Array.from({ length: count }, () => ({ unit_price: '2.00', amount: '2.00' })),
        };
        const places = Object.values(placesOf(record, page));
        const printed = words.filter((text) => text === '2.00').length;
        expect(new Set(places).size).toBe(Math.min(printed, places.length));
      }),
    );
  });
});
