import { type JsonValue, NumberText } from './json-value.js';

/**
 * One text for all spellings of one value, itself valid JSON, for hashing and for comparing: keys sorted by UTF-16
 * code unit, numbers by amount (25.0, 25.00 and 2.5e1 are all `25`; -0 is `0`), strings escaped so that even a lone
 * surrogate survives encoding. Time grows with the size of the value, and with n log n for the keys of one object.
 * Recurses once per level: values from `readReply` are at most 64 deep.
 */
export function canonical(value: JsonValue): string {
  const pieces: string[] = [];
  write(value, pieces);
  return pieces.join('');
}

function write(value: JsonValue, pieces: string[]): void {
  if (value === null || typeof value !== 'object') pieces.push(JSON.stringify(value));
  else if (value instanceof NumberText) pieces.push(canonicalNumber(value.text));
  else if (isList(value)) writeList(value, pieces);
  else {
    pieces.push('{');
    for (const [index, key] of Object.keys(value).sort().entries()) {
      pieces.push(index === 0 ? '' : ',', JSON.stringify(key), ':');
      write(value[key] ?? null, pieces);
    }
    pieces.push('}');
  }
}

/** `Array.isArray` does not narrow read-only arrays. */
function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function writeList(list: readonly JsonValue[], pieces: string[]): void {
  pieces.push('[');
  for (const [index, item] of list.entries()) {
    if (index > 0) pieces.push(',');
    write(item, pieces);
  }
  pieces.push(']');
}

/** Significant digits as an integer, then the power of ten they are multiplied by, when that is not 0. */
function canonicalNumber(text: string): string {
  const negative = text.startsWith('-');
  const [mantissa = '', power = '0'] = text.slice(negative ? 1 : 0).split(/e/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const printed = whole + fraction;
  let first = 0;
  while (printed[first] === '0') first += 1;
  let last = printed.length;
  while (last > first && printed[last - 1] === '0') last -= 1;
  if (first === last) return '0';
  // BigInt, because an exponent of its own many digits must not be rounded into that of another number.
  const exponent = BigInt(power) + BigInt(printed.length - last - fraction.length);
  const digits = (negative ? '-' : '') + printed.slice(first, last);
  return exponent === 0n ? digits : `${digits}e${exponent}`;
}
