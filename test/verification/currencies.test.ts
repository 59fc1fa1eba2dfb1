import { describe, expect, it } from 'vitest';
import { currencyCodes, minorUnitsOf } from '../../src/verification/currencies.js';

describe('the table of currencies', () => {
  it.each([
    ['EUR', 2],
    ['USD', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['BHD', 3],
    ['KWD', 3],
    ['OMR', 3],
    ['IQD', 3],
    ['CLF', 4],
    ['UYW', 4],
    ['UYI', 0],
    ['HUF', 2],
    ['MGA', 2],
    ['MRU', 2],
    ['XCG', 2],
    ['ISK', 0],
    ['TWD', 2],
    ['IDR', 2],
    ['LAK', 2],
    ['AFN', 2],
  ])('gives %s %i decimals, as ISO 4217 does', (code, units) => {
    expect(minorUnitsOf(code)).toBe(units);
  });

  it('is no copy of Intl, which is wrong for these', () => {
    for (const code of ['HUF', 'IQD', 'MGA']) {
      const intl = new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions();
      expect(minorUnitsOf(code)).not.toBe(intl.maximumFractionDigits);
    }
  });

  it('agrees with Intl wherever a currency has three or four decimals there', () => {
    for (const code of Intl.supportedValuesOf('currency')) {
      const { maximumFractionDigits } = new Intl.NumberFormat('en', {
        style: 'currency',
        currency: code,
      }).resolvedOptions();
      const ours = minorUnitsOf(code);
      if (ours !== null && (maximumFractionDigits ?? 0) > 2)
        expect([code, ours]).toEqual([code, maximumFractionDigits]);
    }
  });

  it('holds codes of three capitals, each once, in order', () => {
    expect(currencyCodes.length).toBeGreaterThan(160);
    expect(new Set(currencyCodes).size).toBe(currencyCodes.length);
    expect([...currencyCodes].sort()).toEqual(currencyCodes);
    for (const code of currencyCodes) expect(code).toMatch(/^[A-Z]{3}$/);
    const classes = [0, 2, 3, 4].map(
      (units) => currencyCodes.filter((code) => minorUnitsOf(code) === units).length,
    );
    expect(classes).toEqual([17, currencyCodes.length - 26, 7, 2]);
  });

  it.each(['eur', 'EURO', 'XXX', 'XAU', '', 'toString', null, undefined, 978])(
    'knows no currency %s',
    (code) => {
      expect(minorUnitsOf(code)).toBeNull();
    },
  );
});
