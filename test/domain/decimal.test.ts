import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDecimals, compareDecimals, isDecimal } from '../../src/domain/decimal.js';

/** An integer and where to put its point: the value is known exactly without the code under test. */
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: 0, max: 12 }))
  .map(([unscaled, scale]) => {
    const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
    const cut = digits.length - scale;
    const fraction = scale === 0 ? '' : `.${digits.slice(cut)}`;
    const text = `${unscaled < 0n ? '-' : ''}${digits.slice(0, cut)}${fraction}`;
    return { text, atTwelve: unscaled * 10n ** BigInt(12 - scale) };
  });

const atTwelve = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(12, '0'));
};

describe('decimals', () => {
  test('add to the digit, whatever their size', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(atTwelve(addDecimals(a.text, b.text))).toBe(a.atTwelve + b.atTwelve);
      }),
    );
  });

  test('compare by value', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const expected = a.atTwelve < b.atTwelve ? -1 : a.atTwelve > b.atTwelve ? 1 : 0;
        expect(compareDecimals(a.text, b.text)).toBe(expected);
      }),
    );
    expect(compareDecimals('25.0', '25.00')).toBe(0);
    expect(compareDecimals('-0', '0.0')).toBe(0);
  });

  test('sums keep the longer scale and lose no cent', () => {
    expect(addDecimals('0.1', '0.2')).toBe('0.3');
    expect(addDecimals('1204.375', '0')).toBe('1204.375');
    expect(addDecimals('-0.05', '0.02')).toBe('-0.03');
    expect(addDecimals('9', '1')).toBe('10');
    expect(addDecimals('-1.5', '1.5')).toBe('0.0');
  });

  test.each(['', '.5', '5.', '1e3', '+1', '1,204.00', '1_000', 'NaN', '0x10', ' 1', '1\n', '١'])(
    '%j is none',
    (text) => {
      expect(isDecimal(text)).toBe(false);
      expect(() => addDecimals(text, '1')).toThrow(RangeError);
      expect(() => compareDecimals('1', text)).toThrow(RangeError);
    },
  );
});
