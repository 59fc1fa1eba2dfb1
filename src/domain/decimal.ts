const plain = /^-?\d+(?:\.\d+)?$/;

/** True for a plain decimal text: digits, an optional leading minus, an optional fraction. No exponent, no separators. */
export function isDecimal(text: string): boolean {
  return plain.test(text);
}

/**
 * Exact sum of two plain decimals, at the longer of the two scales ("0.10" + "0.2" is "0.30").
 * Throws RangeError when either text is not a plain decimal.
 */
export function addDecimals(left: string, right: string): string {
  const scale = Math.max(scaleOf(left), scaleOf(right));
  const sum = unscaled(left, scale) + unscaled(right, scale);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${sum < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`;
}

/**
 * Compares by value, so "25.0" equals "25.00": -1, 0 or 1.
 * Throws RangeError when either text is not a plain decimal.
 */
export function compareDecimals(left: string, right: string): -1 | 0 | 1 {
  const scale = Math.max(scaleOf(left), scaleOf(right));
  const a = unscaled(left, scale);
  const b = unscaled(right, scale);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function scaleOf(text: string): number {
  if (!isDecimal(text)) throw new RangeError('An amount must be a plain decimal such as "12.50".');
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** The value times ten to the power of `scale`, as an integer. */
function unscaled(text: string, scale: number): bigint {
  return BigInt(text.replace('.', '') + '0'.repeat(scale - scaleOf(text)));
}
