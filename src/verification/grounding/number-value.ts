import type { DecimalMark } from './number-shape.js';
import type { PrintedNumber } from './numbers.js';

/** The size of a printed number as plain decimal, without sign, every printed decimal kept: `1'204.50` is `1204.50`. */
export function sizeOf(
  { shape }: PrintedNumber,
  document: { readonly decimalMark: DecimalMark | null },
  minorUnits: number | null,
): string {
  const { undecided } = shape;
  if (undecided === null) return plain(shape.whole, shape.fraction);
  // Asked last, since all numbers of the document have to be read for it.
  return isDecimalMark(undecided.mark, document.decimalMark, minorUnits)
    ? plain(undecided.whole, undecided.fraction)
    : plain(shape.whole, null);
}

/**
 * How a document reads `1,204`. Its other numbers decide; where they are silent, a currency of three decimals makes it
 * decimals, and otherwise the point is a decimal mark and the comma separates thousands.
 */
function isDecimalMark(printed: DecimalMark, mark: DecimalMark | null, minorUnits: number | null): boolean {
  if (mark !== null) return printed === mark;
  return minorUnits === 3 || printed === '.';
}

function plain(whole: string, fraction: string | null): string {
  const digits = whole.replace(/^0+(?=\d)/, '');
  return fraction === null ? digits : `${digits}.${fraction}`;
}

/** One spelling for all plain decimals of one value, without sign: `25.00` and `025` are `25`. */
export function amountKey(size: string): string {
  const [whole = '', fraction = ''] = size.replace('-', '').split('.');
  const decimals = fraction.replace(/0+$/, '');
  const digits = whole.replace(/^0+(?=\d)/, '');
  return decimals === '' ? digits : `${digits}.${decimals}`;
}
