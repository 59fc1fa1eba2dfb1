import { backslash, hexValue, isSurrogate, quote } from './character.js';
import type { Cursor } from './cursor.js';

/** Reads the string whose opening quote stands here. */
export function readString(cursor: Cursor): string | undefined {
  const { text, at: start } = cursor;
  let at = start + 1;
  let escapes = false;
  let controls = false;
  let surrogates = false;
  for (;;) {
    at = plainRunEnd(text, at);
    const code = text.charCodeAt(at);
    if (code === quote) break;
    if (code === backslash) {
      const unit = readEscape(cursor, at);
      if (unit === undefined) return undefined;
      escapes = true;
      if (isSurrogate(unit)) surrogates = true;
      at += text.charCodeAt(at + 1) === letterU ? 6 : 2;
    } else if (isSurrogate(code)) {
      surrogates = true;
      at += 1;
    } else if (Number.isNaN(code)) {
      return cursor.fail('incomplete', at);
    } else {
      if (code === 0) return cursor.fail('nul_character', at);
      if (!cursor.normalise('control_character', at)) return undefined;
      controls = true;
      at += 1;
    }
  }
  const value = escapes ? decode(text.slice(start, at + 1), controls) : text.slice(start + 1, at);
  if (surrogates && /\p{Cs}/u.test(value)) return cursor.fail('lone_surrogate', start);
  cursor.at = at + 1;
  return value;
}

/**
 * The text of a quoted string whose every escape has been checked. V8 decodes it in one piece; adding it up here
 * would make a rope of as many parts as there are escapes. It does not take the raw control characters that we do.
 */
function decode(quoted: string, controls: boolean): string {
  return JSON.parse(controls ? quoted.replace(/[^ -\uffff]/g, escapedControl) : quoted);
}

function escapedControl(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}

/** Anything in a string that does not stand for itself: its end, an escape, a control character, half a character. */
const special = /["\\]|[^ -\ud7ff\ue000-\uffff]/g;
const shortRun = 32;

/** Where the characters end that stand for themselves. A loop wins on short runs, the regex engine on long ones. */
function plainRunEnd(text: string, from: number): number {
  for (let at = from; at < from + shortRun; at += 1) {
    const code = text.charCodeAt(at);
    if (code > backslash ? isSurrogate(code) : code === quote || code === backslash || !(code >= 0x20)) {
      return at;
    }
  }
  special.lastIndex = from + shortRun;
  return special.test(text) ? special.lastIndex - 1 : text.length;
}

const letterU = 0x75;
/** What may follow a backslash besides `u`: " / \ b f n r t. */
const shortEscapes = new Set([0x22, 0x2f, 0x5c, 0x62, 0x66, 0x6e, 0x72, 0x74]);

/** Checks the escape at `at`. Returns the UTF-16 unit of a `\u` escape, else the letter's own code. */
function readEscape(cursor: Cursor, at: number): number | undefined {
  const { text } = cursor;
  const letter = text.charCodeAt(at + 1);
  if (letter !== letterU) {
    if (shortEscapes.has(letter)) return letter;
    return Number.isNaN(letter) ? cursor.fail('incomplete', at + 1) : cursor.fail('bad_escape', at);
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
