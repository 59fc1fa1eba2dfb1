import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decimalPlaces,
  printedPlaces,
  roundings,
  sameDecimal,
  toDecimal,
  toText,
} from '../../src/verification/decimal-text.js';

/** A plain decimal text of any size, and the same number as an integer count of its smallest digit. */
const plain = fc
  .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: 0, max: 12 }))
  .map(([unscaled, places]) => {
    const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(places + 1, '0');
    const whole = digits.slice(0, digits.length - places);
    const text = `${unscaled < 0n ? '-' : ''}${whole}${places > 0 ? `.${digits.slice(-places)}` : ''}`;
    return { text, unscaled, places };
  });

describe('reading a decimal text', () => {
  it('is exact for plain decimals of any length', () => {
    fc.assert(
      fc.property(plain, plain, (a, b) => {
        const places = Math.max(a.places, b.places);
        const sum =
          a.unscaled * 10n ** BigInt(places - a.places) + b.unscaled * 10n ** BigInt(places - b.places);
        const [x, y] = [toDecimal(a.text), toDecimal(b.text)];
        if (x === null || y === null) throw new Error('a plain decimal was refused');
        expect(x.plus(y).times(new Big(10).pow(places)).toFixed(0)).toBe(sum.toString());
      }),
    );
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '1.',
    '.5',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '1,000',
    '1_000',
    "1'000",
    '--1',
    '1.2.3',
    '١',
    'one',
    `${'9'.repeat(65)}`,
  ])('refuses %j', (text) => {
    expect(toDecimal(text)).toBeNull();
  });

  it.each([null, undefined, 5, 5n, {}, ['1']])('refuses what is no text: %s', (value) => {
    expect(toDecimal(value)).toBeNull();
  });

  it('writes the number back without exponent, at the places asked for or needed', () => {
    fc.assert(
      fc.property(plain, fc.integer({ min: 0, max: 15 }), ({ text }, places) => {
        const value = toDecimal(text);
        if (value === null) throw new Error('a plain decimal was refused');
        const written = toText(value, places);
        expect(written).toMatch(/^-?\d+(\.\d+)?$/);
        expect(sameDecimal(written, text)).toBe(true);
        expect(printedPlaces(written)).toBeGreaterThanOrEqual(places);
        expect(decimalPlaces(value)).toBeLessThanOrEqual(printedPlaces(text));
      }),
    );
  });

  it('has no negative zero', () => {
    expect(toText(new Big('-0'), 2)).toBe('0.00');
  });

  it('case 27: compares by value, not by spelling', () => {
    expect(sameDecimal('25.0', '25.00')).toBe(true);
    expect(sameDecimal('9.5', '9.50')).toBe(true);
    expect(sameDecimal('25', '24')).toBe(false);
    expect(sameDecimal('25', 'twenty-five')).toBe(false);
    expect(sameDecimal('x', '25')).toBe(false);
  });
});

describe('rounding', () => {
  it('knows one result, and two where the number lies halfway', () => {
    expect(roundings(new Big('1.004'), 2).map(String)).toEqual(['1']);
    expect(roundings(new Big('1.005'), 2).map(String)).toEqual(['1.01', '1']);
    expect(roundings(new Big('1.015'), 2).map(String)).toEqual(['1.02']);
  });
});
