import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locate, type PrintKind } from '../../../src/verification/grounding/locate.js';
import { indexOf } from '../../../src/verification/grounding/text-index.js';
import { amountOf, numberStyle, printNumber } from './printing.js';

function isFound(
  page: string,
  value: string,
  parts: { kind?: PrintKind; currency?: string; anySign?: boolean } = {},
) {
  const sought = {
    kind: parts.kind ?? 'money',
    value,
    currency: parts.currency ?? 'EUR',
    anySign: parts.anySign ?? false,
  };
  return locate(indexOf({ pages: [page] }), sought, { from: null, within: null });
}

const printedAs = (page: string, value: string, currency = 'EUR') => {
  const found = isFound(page, value, { currency });
  return found === null ? null : page.slice(found.start, found.end);
};

describe('a number in a text', () => {
  it.each([
    ['1204.50', 'Total: 1204.50'],
    ['1204.50', 'Total: 1,204.50'],
    ['1204.50', 'Total: 1.204,50 EUR'],
    ['1204.50', "Total: 1'204.50"],
    ['1204000', "Total: 1'204'000"],
    ['1204.50', 'Total: 1’204.50'],
    ['1204.50', 'Total: 1\u00a0204,50'],
    ['1204.50', 'Total: 1 204,50 €'],
    ['1204.50', 'EUR1,204.50'],
    ['1204.50', '€1,204.50'],
    ['1204.50', '1204,50€'],
    ['1204.50', "CHF 1'204.50"],
    ['1204.50', 'Fr. 1204.50'],
    ['1204.50', 'US$1,204.50'],
    ['1204.50', '1.204,50 zł'],
    ['50', 'Fr. 50.-'],
    ['1204', "1'204.-"],
    ['1204', "1'204.--"],
    ['1204', 'Fr. 1’204.–'],
    ['1204', '1.204,-'],
    ['1204', 'Total 1,204'],
    ['-1204.50', '-1,204.50'],
    ['-1204.50', '1,204.50-'],
    ['-1204.50', '(1,204.50)'],
    ['-1204.50', '(EUR 1,204.50)'],
    ['-1204.50', '(1,204.50 EUR)'],
    ['-1204.50', '-EUR 1,204.50'],
    ['-1204.50', '-€1,204.50'],
    ['-1204.50', '€ -1,204.50'],
    ['-1204.50', 'EUR-1,204.50'],
    ['-1204.50', '\u22121,204.50'],
    ['-1204.50', '(-1,204.50)'],
    ['-12', '-12'],
    ['-1204.50', '1,204.50 CR'],
    ['1204.50', '1,204.50CR'],
    ['-12', '(12)'],
    ['12', '(12)'],
    ['1234567.89', '12,34,567.89'],
    ['1234567.89', '1.234.567,89'],
    ['1234567', '1.234.567'],
    ['1234567', '1,234,567'],
    ['1204.375', 'BHD ١٬٢٠٤٫٣٧٥'],
    ['1204.50', '１，２０４．５０'],
    ['0.125', 'Price 0,125'],
    ['0.5', '0.50'],
    ['25.0', '25.00'],
    ['25.00', '25'],
    ['5', 'No.5'],
    ['3', '3 x'],
    ['7.00', '+7.00'],
    ['-5.00', '(-5.00 and more)'],
    ['5.00', 'x-EUR 5.00'],
  ])('%s is read off "%s"', (value, page) => {
    expect(isFound(page, value)).not.toBeNull();
  });

  it.each([
    ['1204.50', 'Total: 1204.51'],
    ['204.50', 'Total: 1,204.50'],
    ['204.50', 'Total: 1.204,50'],
    ['204.50', 'Total: 1 204,50 €'],
    ['204.50', 'Total: 1\u00a0204,50'],
    ['1204', 'Total: 1,204.50'],
    ['50', 'Total: 1,204.50'],
    ['12', 'Total: 1204.50'],
    ['1204.50', '-1,204.50'],
    ['-1204.50', '1,204.50'],
    ['1204.50', '(1,204.50)'],
    ['90412', 'Invoice INV-90412'],
    ['90412', 'Invoice INV90412'],
    ['-90412', 'Invoice INV-90412'],
    ['7', 'Policy 0007'],
    ['3', 'Patch cable 3m'],
    ['3', '3x'],
    ['1204.50', '1,204.50CRUMBS'],
    ['10', 'at 10:30 today'],
    ['30', 'at 10:30 today'],
    ['1', 'Page 1/3'],
    ['3', 'Page 1/3'],
    ['10', 'for 10-20 days'],
    ['20', 'for 10-20 days'],
    ['3', 'version 1.2.3'],
    ['1.2', 'version 1.2.3'],
    ['2024', 'on 2024-11-03'],
    ['3', 'on 03/11/2024'],
    ['11', 'on 3. November 2024 and not later'.replace('November', '11.')],
    ['19', 'VAT 19 %'],
    ['2204.50', 'Widget  2  204.50  409.00'],
    ['2204.50', 'Widget 2 204.50 409.00'],
    ['5', 'x_5'],
    ['123.4', '1,23.4'],
    ['12', '1.2.-'],
    ['5', 'x-5'],
    ['1204', '1,20,4.-'],
    ['5', '5_x'],
  ])('%s is not read off "%s"', (value, page) => {
    expect(isFound(page, value)).toBeNull();
  });

  it('reads two columns as two numbers', () => {
    for (const value of ['2', '204.50', '409.00'])
      expect(isFound('Widget 2 204.50 409.00', value)).not.toBeNull();
  });

  it('shows what is printed, sign and brackets included', () => {
    expect(printedAs('Total: EUR 1.204,50 due', '1204.50')).toBe('1.204,50');
    expect(printedAs('Total: (1,204.50) due', '-1204.50')).toBe('(1,204.50)');
    expect(printedAs('Total: (EUR 1,204.50) due', '-1204.50')).toBe('(EUR 1,204.50)');
    expect(printedAs('Total: -€1,204.50 due', '-1204.50')).toBe('-€1,204.50');
    expect(printedAs('Total: 1,204.50- due', '-1204.50')).toBe('1,204.50-');
    expect(printedAs("Total: 1'204.– due", '1204')).toBe("1'204.–");
    expect(printedAs('Total: (12 of 13)', '12')).toBe('12');
    expect(printedAs('Total: (-5.00 and more)', '-5')).toBe('-5.00');
  });
});

describe('one mark and three digits', () => {
  it.each([
    ['1,204', 'no other number', '1204', 'EUR', ''],
    ['1.204', 'no other number', '1.204', 'EUR', ''],
    ['1,204', 'a currency of three decimals', '1.204', 'BHD', ''],
    ['1,204', 'points before decimals', '1204', 'BHD', '5.50'],
    ['1,204', 'commas before decimals', '1.204', 'EUR', '5,50'],
    ['1.204', 'commas before decimals', '1204', 'EUR', '5,50'],
    ['1.204', 'as many points as commas', '1.204', 'EUR', '5.50 5,50'],
    ['1.204', 'one number beyond doubt', '1204', 'EUR', '5.50 6.50 1.234,50'],
  ])('%s with %s is %s', (print, _with, value, currency, others) => {
    const page = `${print}\n${others}`;
    const other = value.includes('.') ? value.replace('.', '') : '1.204';
    expect(isFound(page, value, { currency })).not.toBeNull();
    expect(isFound(page, other, { currency })).toBeNull();
  });
});

describe('kinds of numbers', () => {
  it('takes only what has a percent sign for a rate, unless a heading has it', () => {
    expect(isFound('VAT 19 %', '19', { kind: 'percent' })).not.toBeNull();
    expect(isFound('VAT 7,5%', '7.5', { kind: 'percent' })).not.toBeNull();
    expect(isFound('Quantity 19\nVAT 20 %', '19', { kind: 'percent' })).toBeNull();
    expect(isFound('VAT %   Amount\n19   12.00', '19', { kind: 'percent' })).not.toBeNull();
  });

  it('takes a number with a unit for a quantity only', () => {
    for (const page of ['10pcs', '10x', '10 pcs', '10'])
      expect(isFound(page, '10', { kind: 'decimal' })).not.toBeNull();
    for (const page of ['10pieces', '10x5', '10A3', 'x10'])
      expect(isFound(page, '10', { kind: 'decimal' })).toBeNull();
    expect(isFound('10pcs', '10', { kind: 'money' })).toBeNull();
    expect(isFound('10pcs', '10', { kind: 'count' })).toBeNull();
  });

  it('takes only whole numbers without minus for a count', () => {
    expect(isFound('Lines: 40', '40', { kind: 'count' })).not.toBeNull();
    expect(isFound('Lines: 40.00', '40', { kind: 'count' })).toBeNull();
    expect(isFound('Lines: -40', '40', { kind: 'count' })).toBeNull();
  });

  it('can leave the sign aside', () => {
    expect(isFound('Credit 1,204.50', '-1204.50', { anySign: true })).not.toBeNull();
    expect(isFound('Credit (1,204.50)', '1204.50', { anySign: true })).not.toBeNull();
  });

  it('takes zero with any sign', () => {
    expect(isFound('0.00', '-0')).not.toBeNull();
    expect(isFound('-0.00', '0')).not.toBeNull();
  });
});

describe('any amount in any style', () => {
  const places = fc.constantFrom(0, 2, 3);
  const sample = places.chain((decimals) =>
    fc.record({
      style: numberStyle,
      value: amountOf(decimals),
      other: amountOf(decimals),
      currency: fc.constant(decimals === 3 ? 'BHD' : decimals === 0 ? 'JPY' : 'EUR'),
      decimals: fc.constant(decimals),
    }),
  );

  it('is found where it is printed, and no other value ever is', () => {
    fc.assert(
      fc.property(sample, ({ style, value, other, currency, decimals }) => {
        // A paper shows somewhere how it writes numbers; papers in whole units have thousands only.
        const witness = decimals === 0 ? '' : printNumber(`7654321.${'9'.repeat(decimals)}`, style, currency);
        const page = `Invoice\nTotal:  ${printNumber(value, style, currency)}\n${witness}`;
        // Without decimals a point before three digits is told from thousands by nothing.
        fc.pre(decimals > 0 || style.thousands !== '.');
        fc.pre(same(value, other) === false && !same(other, `7654321.${'9'.repeat(decimals)}`));
        expect(isFound(page, value, { currency }), page).not.toBeNull();
        expect(isFound(page, other, { currency }), page).toBeNull();
        expect(
          isFound(page, value.startsWith('-') ? value.slice(1) : `-${value}`, { currency }) === null,
        ).toBe(!same(value, '0'));
      }),
      { numRuns: 1500 },
    );
  });

  it('is not found when one digit differs, is missing or is added', () => {
    fc.assert(
      fc.property(sample, fc.nat(), fc.nat(8), ({ style, value, currency, decimals }, at, step) => {
        const witness = decimals === 0 ? '' : printNumber(`7654321.${'9'.repeat(decimals)}`, style, currency);
        const page = `Total:  ${printNumber(value, style, currency)}\n${witness}`;
        fc.pre(decimals > 0 || style.thousands !== '.');
        for (const other of neighbours(value, at, step)) {
          if (!same(value, other))
            expect(isFound(page, other, { currency }), `${other} in ${page}`).toBeNull();
        }
      }),
      { numRuns: 1500 },
    );
  });
});

function same(left: string, right: string): boolean {
  const key = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.');
    return `${whole.replace(/^(-?)0+(?=\d)/, '$1')}.${fraction.replace(/0+$/, '')}`.replace(/^-0\.$/, '0.');
  };
  return key(left) === key(right);
}

/** Values one slip away: a digit changed, dropped, doubled; the point moved. */
function neighbours(value: string, at: number, step: number): readonly string[] {
  const digits = [...value].flatMap((character, index) => (/\d/.test(character) ? [index] : []));
  const index = digits[at % digits.length] ?? 0;
  const digit = Number(value[index]);
  const [head, tail] = [value.slice(0, index), value.slice(index + 1)];
  const bare = value.replace('.', '');
  return [
    `${head}${(digit + 1 + step) % 10}${tail}`,
    `${head}${tail}`,
    `${head}${digit}${digit}${tail}`,
    bare,
    `${bare}00`,
    `${value.split('.')[0]}`,
  ].filter((text) => /^-?\d+(\.\d+)?$/.test(text));
}
