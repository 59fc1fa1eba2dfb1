import { isDigit, minus, plus, point, zero } from './character.js';
import type { Cursor } from './cursor.js';
import { NumberText } from './json-value.js';

/**
 * Bounds that no printed amount comes near and that keep every number within what Postgres `numeric`, and so `jsonb`,
 * can hold: 131,072 digits before the point and 16,383 after it (PostgreSQL manual, "Numeric Types").
 */
const maxNumberLength = 1000;
const maxExponentDigits = 4;

/** Reads the number that starts here, as printed: nothing is rounded, padded or normalised. */
export function readNumber(cursor: Cursor): NumberText | undefined {
  const { text, at: start } = cursor;
  const whole = text.charCodeAt(start) === minus ? start + 1 : start;
  let at = digitsEnd(text, whole);
  if (at === whole || (at > whole + 1 && text.charCodeAt(whole) === zero)) return badNumber(cursor, at);
  if (text.charCodeAt(at) === point) {
    const fraction = at + 1;
    at = digitsEnd(text, fraction);
    if (at === fraction) return badNumber(cursor, at);
  }
  if (isExponentMark(text.charCodeAt(at))) {
    const sign = text.charCodeAt(at + 1);
    let power = sign === plus || sign === minus ? at + 2 : at + 1;
    at = digitsEnd(text, power);
    if (at === power) return badNumber(cursor, at);
    while (text.charCodeAt(power) === zero) power += 1;
    if (at - power > maxExponentDigits) return cursor.fail('number_out_of_range', start);
  }
  if (at - start > maxNumberLength) return cursor.fail('number_out_of_range', start);
  cursor.at = at;
  return new NumberText(text.slice(start, at));
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

function isExponentMark(code: number): boolean {
  return code === 0x65 || code === 0x45;
}

/** The number that starts at the cursor breaks off at `at`. */
function badNumber(cursor: Cursor, at: number): undefined {
  if (at >= cursor.text.length) return cursor.fail('incomplete', at);
  return cursor.fail(cursor.text.startsWith('Infinity', at) ? 'not_finite' : 'bad_number', cursor.at);
}
