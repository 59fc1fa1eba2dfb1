import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifier, list, money, record, text } from '../../src/spec/field.js';
import { inFieldOrder } from '../../src/spec/field-order.js';

const fields = {
  number: identifier('Number'),
  seller: record('Seller', { name: text('Name'), city: text('City') }),
  lines: list('Lines', { description: text('Description'), amount: money('Amount') }),
  total: money('Total'),
};

/** How a jsonb column gives keys back: short ones first, then by bytes. */
const asStored = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asStored);
  if (value === null || typeof value !== 'object') return value;
  const byLength = (one: string, other: string) =>
    one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => byLength(one, other))
      .map(([key, inner]) => [key, asStored(inner)]),
  );
};

type Json = Parameters<typeof inFieldOrder>[1];

describe('a record', () => {
  it('is shown in the order of its fields, on every level', () => {
    const whole = {
      number: 'A-1',
      seller: { name: 'Ada', city: 'Oslo' },
      lines: [{ description: 'Lamp', amount: '4.50' }],
      total: '4.50',
    };
    const stored = asStored(whole);
    expect(JSON.stringify(stored)).not.toBe(JSON.stringify(whole));
    expect(JSON.stringify(inFieldOrder(fields, stored as Json))).toBe(JSON.stringify(whole));
  });

  it('keeps what no field names at its end, and leaves out nothing that was not there', () => {
    const odd = { zip: '1', total: '2', lines: 'none', constructor: 'x' };
    expect(Object.entries(inFieldOrder(fields, odd) as object)).toEqual([
      ['lines', 'none'],
      ['total', '2'],
      ['zip', '1'],
      ['constructor', 'x'],
    ]);
    expect(inFieldOrder(fields, null)).toBeNull();
  });

  it('says the same afterwards, whatever it says', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as Json;
        expect(inFieldOrder(fields, json)).toEqual(json);
      }),
    );
  });
});
