import { backslash, hexValue, isSurrogate, quote } from './character.js';
import type { Cursor } from './cursor.js';

/** What may follow a backslash besides `u`, and the UTF-16 unit that both together stand for. */
const escapes: Readonly<Record<number, number>> = {
  34: 0x22,
  47: 0x2f,
  92: 0x5c,
  98: 0x08,
  102: 0x0c,
  110: 0x0a,
  114: 0x0d,
  116: 0x09,
};
const letterU = 0x75;

/** Reads the string whose opening quote stands here. */
export function readString(cursor: Cursor): string | undefined {
  const { text, at: start } = cursor;
  let decoded = '';
  let from = start + 1;
  let at = from;
  let surrogates = false;
  for (;;) {
    at = plainRunEnd(text, at);
    const code = text.charCodeAt(at);
    if (code === quote) break;
    if (code === backslash) {
      const unit = readEscape(cursor, at);
      if (unit === undefined) return undefined;
      decoded += text.slice(from, at) + String.fromCharCode(unit);
      if (isSurrogate(unit)) surrogates = true;
      at += text.charCodeAt(at + 1) === letterU ? 6 : 2;
      from = at;
    } else if (isSurrogate(code)) {
      surrogates = true;
      at += 1;
    } else if (Number.isNaN(code)) {
      return cursor.fail('incomplete', at);
    } else {
      if (code === 0) return cursor.fail('nul_character', at);
      if (!cursor.normalise('control_character', at)) return undefined;
      at += 1;
    }
  }
  const value = decoded + text.slice(from, at);
  if (surrogates && /\p{Cs}/u.test(value)) return cursor.fail('lone_surrogate', start);
  cursor.at = at + 1;
  return value;
}

/** Anything in a string that does not stand for itself: its end, an escape, a control character, half a character. */
const special = /["\\]|[^ -\ud7ff\ue000-\uffff]/g;
const shortRun = 32;

/** Where the characters end that stand for themselves. A loop wins on short runs, the regex engine on long ones. */
function plainRunEnd(text: string, from: number): number {
  for (let at = from; at < from + shortRun; at += 1) {
    const code = text.charCodeAt(at);
    if (code > backslash ? isSurrogate(code) : code === quote || code === backslash || !(code >= 0x20))
      return at;
  }
  special.lastIndex = from + shortRun;
  return special.test(text) ? special.lastIndex - 1 : text.length;
}

/** The UTF-16 unit that the escape at `at` stands for. */
function readEscape(cursor: Cursor, at: number): number | undefined {
  const { text } = cursor;
  const letter = text.charCodeAt(at + 1);
  if (letter !== letterU) {
    if (Number.isNaN(letter)) return cursor.fail('incomplete', at + 1);
    return escapes[letter] ?? cursor.fail('bad_escape', at);
  }
  let unit = 0;
  for (let digit = at + 2; digit < at + 6; digit += 1) {
    const value = hexValue(text.charCodeAt(digit));
    if (value < 0) {
      return digit < text.length ? cursor.fail('bad_escape', at) : cursor.fail('incomplete', digit);
    }
    unit = unit * 16 + value;
  }
  return unit === 0 ? cursor.fail('nul_character', at) : unit;
}
