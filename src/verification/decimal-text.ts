import Big from 'big.js';

/** Longest decimal text that is read at all: far beyond any amount, short enough to stay cheap. */
const maximumLength = 64;

const plainDecimal = /^-?\d+(?:\.\d+)?$/;

/**
 * Reads a plain decimal text exactly. Null for anything else: exponents, separators, `+1`, `5.`, hex and text, all of
 * which big.js or `Number` would take in part.
 */
export function toDecimal(text: unknown): Big | null {
  if (typeof text !== 'string' || text.length > maximumLength || !plainDecimal.test(text)) return null;
  return new Big(text);
}

/** The plain text of a decimal: no exponent, no `-0`; padded to `places` decimals where that is more. */
export function toText(value: Big, places = 0): string {
  if (value.eq(0)) return new Big(0).toFixed(places);
  return value.toFixed(Math.max(places, decimalPlaces(value)));
}

/** How many decimals the number needs: 2 for 1.50 is wrong, 1 is right, since 1.50 and 1.5 are one number. */
export function decimalPlaces(value: Big): number {
  return Math.max(0, value.c.length - 1 - value.e);
}

/** How many decimals were printed: 2 for "1.50". */
export function printedPlaces(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** True when both are plain decimals of one numeric value: 25.0 and 25.00. */
export function sameDecimal(left: unknown, right: unknown): boolean {
  const a = toDecimal(left);
  const b = toDecimal(right);
  return a !== null && b !== null && a.eq(b);
}

/** What `exact` may be rounded to at `places` decimals: one value, or two where it lies halfway (away from zero, to even). */
export function roundings(exact: Big, places: number): readonly Big[] {
  const up = exact.round(places, Big.roundHalfUp);
  const even = exact.round(places, Big.roundHalfEven);
  return up.eq(even) ? [up] : [up, even];
}
