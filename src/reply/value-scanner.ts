import { type JsonObject, type JsonValue, NumberText } from './json-value.js';
import { type Normalisation, parseFailure, type ReadFailure, type ReadingCode } from './reading.js';

const maxDepth = 64;
const maxNumberLength = 1000;
const maxExponentDigits = 4;

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const literals = [
  { word: 'true', value: true },
  { word: 'false', value: false },
  { word: 'null', value: null },
] as const;

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * Reads one JSON object at a position of a text. Methods return `undefined` after setting `failure`; nothing is ever
 * closed, completed or skipped on the text's behalf. `lenient` allows the three tagged normalisations.
 */
export class ValueScanner {
  readonly text: string;
  at = 0;
  failure: ReadFailure = parseFailure('no_object', null);
  readonly normalisations: Normalisation[] = [];
  readonly #lenient: boolean;

  constructor(text: string, lenient: boolean) {
    this.text = text;
    this.#lenient = lenient;
  }

  /** Reads the object whose `{` stands at `at`, and leaves `at` behind its `}`. `depth` counts it, from 1. */
  object(depth: number): JsonObject | undefined {
    if (depth > maxDepth) return this.#fail('too_deep', this.at);
    const members: Record<string, JsonValue> = Object.create(null);
    this.at += 1;
    let code = this.skipWhitespace();
    if (code === closeBrace) {
      this.at += 1;
      return members;
    }
    for (;;) {
      const keyAt = this.at;
      const key = code === quote ? this.#string() : this.#bareKey();
      if (key === undefined) return undefined;
      if (key in members) return this.#fail('duplicate_key', keyAt);
      if (key === '__proto__' || key === 'constructor' || key === 'prototype') {
        return this.#fail('forbidden_key', keyAt);
      }
      if (this.skipWhitespace() !== colon) return this.#unexpected();
      this.at += 1;
      const value = this.#value(depth + 1);
      if (value === undefined) return undefined;
      members[key] = value;
      code = this.#separator(closeBrace);
      if (code === closeBrace) return members;
      if (Number.isNaN(code)) return undefined;
    }
  }

  /** Moves to the next character that is not JSON whitespace and returns its code, NaN at the end. */
  skipWhitespace(): number {
    const text = this.text;
    let at = this.at;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      at += 1;
      code = text.charCodeAt(at);
    }
    this.at = at;
    return code;
  }

  #array(depth: number): JsonValue | undefined {
    if (depth > maxDepth) return this.#fail('too_deep', this.at);
    const items: JsonValue[] = [];
    this.at += 1;
    if (this.skipWhitespace() === closeBracket) {
      this.at += 1;
      return items;
    }
    for (;;) {
      const item = this.#value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
      const code = this.#separator(closeBracket);
      if (code === closeBracket) return items;
      if (Number.isNaN(code)) return undefined;
    }
  }

  /** Passes `,` or the closing bracket; returns what stands there now, the bracket's code, or NaN after a failure. */
  #separator(close: number): number {
    let code = this.skipWhitespace();
    if (code === comma) {
      const commaAt = this.at;
      this.at += 1;
      code = this.skipWhitespace();
      if (code !== close) {
        if (Number.isNaN(code)) this.#unexpected();
        return code;
      }
      if (!this.#normalise('trailing_comma', commaAt)) return Number.NaN;
    } else if (code !== close) {
      this.#unexpected();
      return Number.NaN;
    }
    this.at += 1;
    return close;
  }

  #value(depth: number): JsonValue | undefined {
    const code = this.skipWhitespace();
    if (code === quote) return this.#string();
    if (code === openBrace) return this.object(depth);
    if (code === openBracket) return this.#array(depth);
    if (code === minus || isDigit(code)) return this.#number();
    for (const { word, value } of literals) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    if (this.text.startsWith('NaN', this.at) || this.text.startsWith('Infinity', this.at)) {
      return this.#fail('not_finite', this.at);
    }
    return this.#unexpected();
  }

  #number(): NumberText | undefined {
    const text = this.text;
    const start = this.at;
    let at = text.charCodeAt(start) === minus ? start + 1 : start;
    if (text.startsWith('Infinity', at)) return this.#fail('not_finite', start);
    const whole = at;
    at = this.#digits(at);
    if (at === whole || (at > whole + 1 && text[whole] === '0')) return this.#badNumber(at);
    if (text[at] === '.') {
      const fraction = at + 1;
      at = this.#digits(fraction);
      if (at === fraction) return this.#badNumber(at);
    }
    if (text[at] === 'e' || text[at] === 'E') {
      const sign = text[at + 1];
      let power = sign === '+' || sign === '-' ? at + 2 : at + 1;
      at = this.#digits(power);
      if (at === power) return this.#badNumber(at);
      while (text[power] === '0') power += 1;
      if (at - power > maxExponentDigits) return this.#fail('number_out_of_range', start);
    }
    if (at - start > maxNumberLength) return this.#fail('number_out_of_range', start);
    this.at = at;
    return new NumberText(text.slice(start, at));
  }

  #digits(from: number): number {
    let at = from;
    while (isDigit(this.text.charCodeAt(at))) at += 1;
    return at;
  }

  #badNumber(at: number): undefined {
    return at >= this.text.length ? this.#fail('incomplete', at) : this.#fail('bad_number', this.at);
  }

  #string(): string | undefined {
    const text = this.text;
    let pieces = '';
    let from = this.at + 1;
    let at = from;
    let surrogates = false;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === quote) break;
      if (code === backslash) {
        const escaped = this.#escape(at);
        if (escaped === undefined) return undefined;
        pieces += text.slice(from, at) + escaped;
        if ((escaped.charCodeAt(0) & 0xf800) === 0xd800) surrogates = true;
        at += text[at + 1] === 'u' ? 6 : 2;
        from = at;
      } else if (code < 0x20) {
        if (code === 0) return this.#fail('nul_character', at);
        if (!this.#normalise('control_character', at)) return undefined;
        at += 1;
      } else if (code >= 0x20) {
        if ((code & 0xf800) === 0xd800) surrogates = true;
        at += 1;
      } else return this.#fail('incomplete', at);
    }
    const start = this.at;
    const value = pieces + text.slice(from, at);
    if (surrogates && /\p{Cs}/u.test(value)) return this.#fail('lone_surrogate', start);
    this.at = at + 1;
    return value;
  }

  #escape(at: number): string | undefined {
    const letter = this.text[at + 1];
    if (letter === undefined) return this.#fail('incomplete', at + 1);
    if (letter !== 'u') return escapes[letter] ?? this.#fail('bad_escape', at);
    const hex = this.text.slice(at + 2, at + 6);
    if (!/^[0-9a-f]{4}$/i.test(hex)) {
      return at + 6 > this.text.length
        ? this.#fail('incomplete', this.text.length)
        : this.#fail('bad_escape', at);
    }
    if (hex === '0000') return this.#fail('nul_character', at);
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  #bareKey(): string | undefined {
    const start = this.at;
    const word = /[A-Za-z_$][\w$]*/y;
    word.lastIndex = start;
    const key = word.exec(this.text)?.[0];
    if (key === undefined) return this.#unexpected();
    this.at = start + key.length;
    if (this.skipWhitespace() !== colon) return this.#unexpected();
    return this.#normalise('bare_key', start) ? key : undefined;
  }

  #normalise(kind: Normalisation['kind'] & ReadingCode, at: number): boolean {
    if (this.#lenient) this.normalisations.push({ kind, at });
    else this.#fail(kind, at);
    return this.#lenient;
  }

  /** The character at `at` fits nothing. Input that merely ran out is its own failure: it may have been cut. */
  #unexpected(): undefined {
    const character = this.text[this.at];
    if (character === undefined) return this.#fail('incomplete', this.at);
    return this.#fail(character === '/' || character === '#' ? 'comment' : 'unexpected_character', this.at);
  }

  #fail(code: ReadingCode, at: number): undefined {
    this.failure = parseFailure(code, at);
    return undefined;
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
