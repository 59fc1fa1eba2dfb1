import { Cursor } from './cursor.js';
import { readObject } from './object-value.js';
import { parseFailure, type Reading } from './reading.js';

/** Reads text that is one strict JSON object, with nothing around it but whitespace and byte order marks. */
export function readStrictText(text: string): Reading {
  const cursor = new Cursor(text, false);
  skipBlank(cursor);
  const first = text[cursor.at];
  if (first !== '{') return parseFailure(first === '[' ? 'not_an_object' : 'text_outside_value', cursor.at);
  const value = readObject(cursor, 1);
  if (value === undefined) return cursor.failure;
  skipBlank(cursor);
  if (cursor.at < text.length) return parseFailure('text_outside_value', cursor.at);
  return { kind: 'value', value, normalisations: cursor.normalisations };
}

function skipBlank(cursor: Cursor): void {
  while (cursor.skipWhitespace() === 0xfeff) {
    cursor.normalisations.push({ kind: 'byte_order_mark', at: cursor.at });
    cursor.at += 1;
  }
}
