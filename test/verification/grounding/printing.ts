import fc from 'fast-check';

/** How a paper writes numbers. */
export interface NumberStyle {
  readonly thousands: '' | ',' | '.' | "'" | '’' | '\u00a0' | '\u202f' | ' ' | 'lakh';
  readonly decimal: '.' | ',';
  readonly currency: 'none' | 'code before' | 'code behind' | 'sign before' | 'sign behind' | 'glued';
  readonly minus: 'before' | 'behind' | 'brackets' | 'long dash' | 'before currency';
}

const separators: readonly (readonly [NumberStyle['thousands'], NumberStyle['decimal']])[] = [
  ['', '.'],
  ['', ','],
  [',', '.'],
  ['.', ','],
  ["'", '.'],
  ['’', '.'],
  ["'", ','],
  ['\u00a0', ','],
  ['\u202f', ','],
  [' ', ','],
  [' ', '.'],
  ['lakh', '.'],
];

export const numberStyle: fc.Arbitrary<NumberStyle> = fc
  .record({
    thousands: fc.constantFrom(...separators),
    currency: fc.constantFrom('none', 'code before', 'code behind', 'sign before', 'sign behind', 'glued'),
    minus: fc.constantFrom('before', 'behind', 'brackets', 'long dash', 'before currency'),
  })
  .map(
    ({ thousands: [thousands, decimal], currency, minus }) =>
      ({ thousands, decimal, currency, minus }) as const,
  );

/** A plain decimal with exactly so many decimals. */
export const amountOf = (places: number): fc.Arbitrary<string> =>
  fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.boolean()).map(([unscaled, isNegative]) => {
    const digits = unscaled.toString().padStart(places + 1, '0');
    const whole = digits.slice(0, digits.length - places);
    return `${isNegative && unscaled > 0n ? '-' : ''}${whole}${places > 0 ? `.${digits.slice(-places)}` : ''}`;
  });

/** Prints a plain decimal in a style, as it would stand in a cell of its own. */
export function printNumber(plain: string, style: NumberStyle, code = 'EUR', sign = '€'): string {
  const negative = plain.startsWith('-');
  const [whole = '', fraction] = plain.replace('-', '').split('.');
  const digits = `${grouped(whole, style.thousands)}${fraction === undefined ? '' : style.decimal + fraction}`;
  const bare = withCurrency(digits, style, code, sign);
  if (!negative) return bare;
  switch (style.minus) {
    case 'before':
      return withCurrency(`-${digits}`, style, code, sign);
    case 'long dash':
      return withCurrency(`\u2212${digits}`, style, code, sign);
    case 'behind':
      return withCurrency(`${digits}-`, style, code, sign);
    case 'brackets':
      // Whole numbers in brackets may count something, so books print their decimals.
      return fraction === undefined ? withCurrency(`-${digits}`, style, code, sign) : `(${bare})`;
    case 'before currency':
      return `-${bare}`;
  }
}

function grouped(whole: string, thousands: NumberStyle['thousands']): string {
  if (thousands === '') return whole;
  if (thousands !== 'lakh') return whole.replace(/\B(?=(\d{3})+$)/g, thousands);
  const head = whole.slice(0, -3);
  return head === '' ? whole : `${head.replace(/\B(?=(\d{2})+$)/g, ',')},${whole.slice(-3)}`;
}

function withCurrency(digits: string, { currency }: NumberStyle, code: string, sign: string): string {
  switch (currency) {
    case 'none':
      return digits;
    case 'code before':
      return `${code} ${digits}`;
    case 'code behind':
      return `${digits} ${code}`;
    case 'sign before':
      return `${sign}${digits}`;
    case 'sign behind':
      return `${digits} ${sign}`;
    case 'glued':
      return `${code}${digits}`;
  }
}
