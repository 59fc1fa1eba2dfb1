import { describe, expect, it } from 'vitest';
import { baseTimesRate, lineArithmetic } from '../../../src/verification/constraints/line-arithmetic.js';
import { fixedDecimals, minorUnits } from '../../../src/verification/constraints/minor-units.js';

const context = { text: null, previous: null };

describe('decimals of a currency', () => {
  const rule = minorUnits({ currency: '/currency', amounts: ['/total', '/rows/*/amount'] });
  const check = (currency: unknown, total: string, ...amounts: string[]) =>
    rule.check({ currency, total, rows: amounts.map((amount) => ({ amount })) }, context);

  it.each([
    ['JPY', '1204', '1204.5'],
    ['EUR', '1204.37', '1204.375'],
    ['BHD', '1204.375', '1204.3751'],
    ['CLF', '1.2345', '1.23456'],
  ])('%s may be %s and not %s', (currency, good, bad) => {
    expect(check(currency, good)).toEqual([]);
    expect(check(currency, bad)).toHaveLength(1);
    expect(check(currency, good, good, bad)).toMatchObject([{ pointer: '/rows/1/amount', found: bad }]);
  });

  it('does not count trailing zeros', () => {
    expect(check('JPY', '1204.00')).toEqual([]);
  });

  it('passes over what is no number, and over currencies that do not exist', () => {
    expect(check('EUR', 'not_printed', 'blank')).toEqual([]);
    expect(check('ABC', '1.23456')).toEqual([]);
    expect(check(undefined, '1.23456')).toEqual([]);
  });

  it('says what the amount would be and which currency has how many', () => {
    expect(check('EUR', '1204.375')).toEqual([
      {
        pointer: '/total',
        message: 'The amount has 3 decimals; EUR has 2.',
        expected: '1204.38',
        found: '1204.375',
      },
    ]);
  });

  it('can be named and versioned', () => {
    expect(minorUnits({ id: 'x', version: 3, currency: '/c', amounts: [] })).toMatchObject({
      id: 'x',
      version: 3,
    });
    expect(rule).toMatchObject({ id: 'minor-units', version: 1 });
  });
});

describe('a fixed number of decimals', () => {
  it('holds whatever the currency is', () => {
    const rule = fixedDecimals({ id: 'two-decimals', decimals: 2, amounts: ['/total'] });
    expect(rule.check({ currency: 'BHD', total: '1204.37' }, context)).toEqual([]);
    expect(rule.check({ currency: 'BHD', total: '1204.375' }, context)).toMatchObject([
      { expected: '1204.38' },
    ]);
    expect(fixedDecimals({ id: 'a', version: 2, decimals: 0, amounts: [] }).version).toBe(2);
  });
});

describe('line arithmetic', () => {
  const rule = lineArithmetic({
    items: '/rows',
    quantity: 'quantity',
    unitPrice: 'price',
    amount: 'amount',
    currency: '/currency',
  });
  const line = (quantity: unknown, price: unknown, amount: unknown, currency = 'EUR') => ({
    currency,
    rows: [{ quantity, price, amount }],
  });
  const check = (record: unknown) => rule.check(record, context);

  it('case 23: unit prices may have more decimals than the currency (0.1212)', () => {
    expect(check(line('100', '0.1212', '12.12'))).toEqual([]);
    expect(check(line('7', '0.1212', '0.85'))).toEqual([]);
    expect(check(line('7', '0.1212', '0.84'))).toHaveLength(1);
  });

  it('takes either way of rounding a half', () => {
    for (const amount of ['0.12', '0.13']) expect(check(line('1', '0.125', amount))).toEqual([]);
    expect(check(line('1', '0.125', '0.125'))).toMatchObject([{ expected: '0.13 or 0.12' }]);
  });

  it('rounds to the currency of the record', () => {
    expect(check(line('3', '401.125', '1203.375', 'BHD'))).toEqual([]);
    expect(check(line('3', '401.125', '1203', 'JPY'))).toEqual([]);
    expect(check(line('3', '401.125', '1203.375', 'EUR'))).toHaveLength(1);
  });

  it('says the product, and where', () => {
    expect(check(line('2', '89.50', '180.00'))).toEqual([
      {
        ...{
          pointer: '/rows/0/amount',
          message: '2 times 89.5 is 179, which is not the amount.',
          expected: '179.00',
          found: '180',
        },
        computed: {
          from: ['/rows/0/quantity', '/rows/0/price'],
          inDoubt: expect.not.stringContaining('179'),
        },
      },
    ]);
  });

  it.each([
    ['quantity', line('two', '1', '2')],
    ['price', line('2', null, '2')],
    ['amount', line('2', '1', 'blank')],
    ['currency', line('2', '1', '9', 'ABC')],
    ['rows', { currency: 'EUR' }],
  ])('leaves a %s it cannot read to other rules', (_what, record) => {
    expect(check(record)).toEqual([]);
    expect(rule.wanted?.(record, context)).toBeNull();
  });

  it('wants the one rounded product of the first broken line', () => {
    const record = {
      currency: 'EUR',
      rows: [line('1', '1', '1').rows[0], line('2', '89.50', '180.00').rows[0]],
    };
    expect(rule.wanted?.(record, context)).toEqual({ pointer: '/rows/1/amount', value: '179.00' });
    expect(rule.wanted?.(line('1', '0.125', '9'), context)).toBeNull();
    expect(rule.wanted?.(line('1', '1', '1'), context)).toBeNull();
  });

  it('can be named and versioned', () => {
    const options = { items: '/r', quantity: 'q', unitPrice: 'p', amount: 'a', currency: '/c' };
    expect(lineArithmetic({ ...options, id: 'x', version: 2 })).toMatchObject({ id: 'x', version: 2 });
    expect(rule).toMatchObject({ id: 'line-arithmetic', version: 1 });
  });
});

describe('base times rate', () => {
  const rule = baseTimesRate({ base: '/net', rate: '/rate', amount: '/tax', currency: '/currency' });
  const check = (net: string, rate: string, tax: string) =>
    rule.check({ currency: 'EUR', net, rate, tax }, context);

  it('case 27: takes a rate of 9.5 percent to the digit', () => {
    expect(check('1000.01', '9.5', '95.00')).toEqual([]);
    expect(check('1000.01', '9.5', '95.01')).toMatchObject([
      { pointer: '/tax', expected: '95.00', found: '95.01' },
    ]);
    expect(check('100.00', '7.50', '7.5')).toEqual([]);
  });

  it('leaves a rate that is no number to the schema', () => {
    expect(check('100.00', 'blank', '7.5')).toEqual([]);
    expect(check('blank', '19', '7.5')).toEqual([]);
  });

  it('can be named and versioned', () => {
    const options = { base: '/b', rate: '/r', amount: '/a', currency: '/c' };
    expect(baseTimesRate({ ...options, id: 'x', version: 2 })).toMatchObject({ id: 'x', version: 2 });
    expect(rule).toMatchObject({ id: 'tax-arithmetic', version: 1 });
  });
});
