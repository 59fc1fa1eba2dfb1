/** UTF-16 units that JSON's grammar names. Comparing numbers keeps the reader within its time per character. */
export const quote = 0x22;
export const plus = 0x2b;
export const comma = 0x2c;
export const minus = 0x2d;
export const point = 0x2e;
export const zero = 0x30;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

export function isDigit(code: number): boolean {
  return code >= zero && code <= 0x39;
}

export function isWhitespace(code: number): boolean {
  return code <= 0x20 && (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09);
}

/** Half of a character beyond U+FFFF. */
export function isSurrogate(code: number): boolean {
  return (code & 0xf800) === 0xd800;
}

/** What a hexadecimal digit is worth; -1 for anything else. */
export function hexValue(code: number): number {
  if (isDigit(code)) return code - zero;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
