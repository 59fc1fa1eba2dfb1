import { backslash, quote } from './character.js';
import type { Cursor } from './cursor.js';
import { readString } from './string-token.js';

/** A power of two, some times the number of different keys in a record. */
const slots = 128;

/**
 * Reads the quoted key that starts here. Rows repeat their keys, so plain ASCII ones are looked up by their characters
 * among those this reply has used: no string is allocated, hashed and made unique again for every row.
 */
export function readKey(cursor: Cursor): string | undefined {
  const { text, knownKeys } = cursor;
  const from = cursor.at + 1;
  let at = from;
  let slot = 0;
  let code = text.charCodeAt(at);
  while (code >= 0x20 && code < 0x7f && code !== quote && code !== backslash) {
    slot = (slot * 31 + code) & (slots - 1);
    at += 1;
    code = text.charCodeAt(at);
  }
  if (code !== quote) return readString(cursor);
  cursor.at = at + 1;
  const known = knownKeys[slot];
  if (known !== undefined && known.length === at - from && text.startsWith(known, from)) return known;
  const key = text.slice(from, at);
  knownKeys[slot] = key;
  return key;
}
