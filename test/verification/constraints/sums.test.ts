import { describe, expect, it } from 'vitest';
import { sumEqualsTotal } from '../../../src/verification/constraints/sum-equals-total.js';

const context = { text: null, previous: null };
const rows = (...amounts: unknown[]) => amounts.map((amount) => ({ amount }));

describe('a sum that must equal the total', () => {
  const rule = sumEqualsTotal({ id: 'total-equals-sum', addends: ['/rows/*/amount'], total: '/total' });
  const check = (record: unknown) => rule.check(record, context);

  it('holds to the last digit, however many there are', () => {
    expect(check({ rows: rows('0.1', '0.2'), total: '0.3' })).toEqual([]);
    expect(
      check({
        rows: rows('123456789012345678900000000000.01', '0.02'),
        total: '123456789012345678900000000000.03',
      }),
    ).toEqual([]);
    expect(
      check({
        rows: rows('123456789012345678900000000000.01', '0.02'),
        total: '123456789012345678900000000000.04',
      }),
    ).toHaveLength(1);
  });

  it('case 23: does not follow binary fractions (2 x 89.50 and 12 x 4.20 are 229.40)', () => {
    expect(check({ rows: rows('179.00', '50.40'), total: '229.40' })).toEqual([]);
    expect(check({ rows: rows('1.005', '2.675'), total: '3.68' })).toEqual([]);
  });

  it('case 27: compares by value: 25.0 is 25.00', () => {
    expect(check({ rows: rows('20.00', '5.0'), total: '25' })).toEqual([]);
  });

  it('names the field by its own name, and not every field "the total"', () => {
    const rule = sumEqualsTotal({ id: 'sub', addends: ['/rows/*/amount'], total: '/net_total' });
    expect(
      rule.check({ rows: rows('2.25'), net_total: '6.00' }, { text: null, previous: null }),
    ).toMatchObject([{ message: 'The amounts add up to 2.25, which is not the net total.' }]);
  });

  it('names expected and found value with the decimals of the lines', () => {
    expect(check({ rows: rows('179.00', '50.40'), total: '1240.00' })).toEqual([
      {
        pointer: '/total',
        message: 'The amounts add up to 229.40, which is not the total.',
        expected: '229.40',
        found: '1240.00',
        computed: {
          from: ['/rows/0/amount', '/rows/1/amount'],
          inDoubt: expect.not.stringContaining('229.40'),
        },
      },
    ]);
  });

  it.each([[undefined], [null], [[]], [{}]])('case 2: is broken by a list that is %j', (list) => {
    expect(check({ rows: list, total: '0' })).toEqual([
      {
        pointer: '/rows',
        message: 'There is nothing to add up.',
        expected: 'at least one amount',
        found: 'none',
      },
    ]);
    expect(rule.wanted?.({ rows: list, total: '0' }, context)).toBeNull();
  });

  it('leaves what is no number to the schema', () => {
    expect(check({ rows: rows('1', 'two'), total: '3' })).toEqual([]);
    expect(check({ rows: rows('1'), total: 'blank' })).toEqual([]);
    expect(rule.wanted?.({ rows: rows('1', 'two'), total: '3' }, context)).toBeNull();
  });

  it('wants the sum itself', () => {
    expect(rule.wanted?.({ rows: rows('401.125', '803.25'), total: '1' }, context)).toEqual({
      pointer: '/total',
      value: '1204.375',
    });
  });
});

describe('case 25: a sum of rounded amounts', () => {
  const addends = ['/rows/*/amount'];
  const perLine = sumEqualsTotal({
    id: 'sum',
    addends,
    total: '/total',
    tolerance: { kind: 'half_minor_unit_each', currency: '/currency' },
  });
  const three = rows('10.00', '10.00', '10.00');

  it('may be off by half a smallest unit for each line', () => {
    expect(perLine.check({ currency: 'EUR', rows: three, total: '30.01' }, context)).toEqual([]);
    expect(perLine.check({ currency: 'EUR', rows: three, total: '29.985' }, context)).toEqual([]);
    expect(perLine.check({ currency: 'EUR', rows: three, total: '30.02' }, context)).toHaveLength(1);
    expect(perLine.check({ currency: 'EUR', rows: three, total: '31.00' }, context)).toMatchObject([
      { message: expect.stringContaining('a difference up to 0.015 is allowed') },
    ]);
  });

  it('has that tolerance in the currency of the record', () => {
    expect(perLine.check({ currency: 'JPY', rows: rows('10', '10'), total: '21' }, context)).toEqual([]);
    expect(perLine.check({ currency: 'BHD', rows: three, total: '30.01' }, context)).toHaveLength(1);
  });

  it('has no tolerance under a currency that does not exist', () => {
    expect(perLine.check({ currency: 'ABC', rows: three, total: '30.01' }, context)).toHaveLength(1);
  });

  it('can have a fixed tolerance', () => {
    const fixed = sumEqualsTotal({
      id: 'sum',
      addends,
      total: '/total',
      tolerance: { kind: 'amount', amount: '0.01' },
    });
    expect(fixed.check({ rows: three, total: '30.01' }, context)).toEqual([]);
    expect(fixed.check({ rows: three, total: '30.02' }, context)).toHaveLength(1);
  });

  it('names no only value, since several satisfy it', () => {
    expect(perLine.wanted?.({ currency: 'EUR', rows: three, total: '31.00' }, context)).toBeNull();
  });

  it('can take a printed rounding amount instead', () => {
    const rounded = sumEqualsTotal({ id: 'sum', addends, total: '/total', rounding: '/rounding' });
    expect(rounded.check({ rows: three, rounding: '-0.02', total: '29.98' }, context)).toEqual([]);
    expect(rounded.check({ rows: three, rounding: 'not_printed', total: '30.00' }, context)).toEqual([]);
    expect(rounded.check({ rows: three, rounding: 'not_printed', total: '29.98' }, context)).toHaveLength(1);
    expect(rounded.wanted?.({ rows: three, rounding: '-0.02', total: '0' }, context)).toMatchObject({
      value: '29.98',
    });
  });

  it('adds up single fields as well as rows', () => {
    const gross = sumEqualsTotal({
      id: 'gross',
      version: 2,
      says: 'Net and tax',
      addends: ['/net', '/tax'],
      total: '/total',
    });
    expect(gross).toMatchObject({ version: 2, says: 'Net and tax' });
    expect(gross.check({ net: '10.00', tax: '1.90', total: '11.90' }, context)).toEqual([]);
    expect(gross.check({ net: '10.00', total: '11.90' }, context)).toMatchObject([{ pointer: '/tax' }]);
  });
});
