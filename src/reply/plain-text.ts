import { canonical } from './canonical.js';
import { Cursor } from './cursor.js';
import type { JsonObject } from './json-value.js';
import { readObject } from './object-value.js';
import { parseFailure, type ReadFailure, type Reading, type ReadingCode } from './reading.js';

/** More objects than this are no answer, and each one costs a comparison. */
const maxValues = 64;

/** Brackets of prose: `{word}` and `[1]`. */
const placeholder = /\{\w{1,64}\}|\[\w{1,64}\]/y;
const thinkTag = /<\/?(?:think|thinking|reasoning)>/iy;
/** What may touch the end of an object: space, a code fence, emphasis, a tag, or the next object. */
const seam = /$|[\s`~*<]|\{(?!\w{1,64}\})/y;
const closing = /[}\]]/y;

/**
 * Finds the one object in the text of a model that was merely asked for JSON. Around it may stand: prose, code fences
 * of any length, closed thinking blocks, byte order marks, square brackets before it, `{word}` and `[1]` anywhere.
 * The same object twice is one; two different ones are `ambiguous`.
 *
 * What is refused is refused on purpose. A `{` that does not read ends the search, or the inner object of a broken
 * outer one would be promoted; a bracket left over means that a value was closed early or has lost its beginning;
 * text that touches an object may be part of it.
 */
export function readPlainText(text: string): Reading {
  const search = new Search(text);
  const marks = /[{}[\]<\uFEFF]/g;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const next = search.pass(mark[0], mark.index);
    if (typeof next !== 'number') return next;
    marks.lastIndex = next;
  }
  return search.result();
}

/** Takes the marks of a text from left to right and keeps what they have come to so far. */
class Search {
  readonly #text: string;
  readonly #cursor: Cursor;
  #value: JsonObject | null = null;
  #fingerprint: string | null = null;
  #values = 0;
  /** Where the last object ended. */
  #end = -1;
  #listOpened = false;

  constructor(text: string) {
    this.#text = text;
    this.#cursor = new Cursor(text, true);
  }

  /** Handles the mark at `at`; returns where the search goes on, or why it is over. */
  pass(mark: string, at: number): number | ReadFailure {
    if (mark === '\uFEFF') {
      this.#cursor.normalisations.push({ kind: 'byte_order_mark', at });
      return at + 1;
    }
    if (mark === '<') return this.#tag(at);
    const prose = match(placeholder, this.#text, at);
    if (prose !== null) return at + prose.length;
    if (mark === '{') return this.#object(at);
    if (mark === '}' || this.#value !== null) return parseFailure('stray_bracket', at);
    if (mark === '[') this.#listOpened = true;
    return at + 1;
  }

  result(): Reading {
    if (this.#value === null) return parseFailure('no_object', this.#text.length);
    return { kind: 'value', value: this.#value, normalisations: this.#cursor.normalisations };
  }

  #tag(at: number): number | ReadFailure {
    const tag = match(thinkTag, this.#text, at);
    if (tag === null) return at + 1;
    // A closing tag alone is a block whose opening the provider kept: what stood before it was thinking.
    if (tag.startsWith('</'))
      return this.#value === null ? at + tag.length : parseFailure('unopened_think', at);
    const tags = /<(\/?)(?:think|thinking|reasoning)>/gi;
    tags.lastIndex = at;
    let depth = 0;
    for (let found = tags.exec(this.#text); found !== null; found = tags.exec(this.#text)) {
      depth += found[1] === '/' ? -1 : 1;
      if (depth === 0) return tags.lastIndex;
    }
    return parseFailure('unclosed_think', at);
  }

  #object(at: number): number | ReadFailure {
    const misplaced = this.#misplacement(at);
    if (misplaced !== null) return parseFailure(misplaced, at);
    if (this.#values === maxValues) return parseFailure('too_many_values', at);
    this.#cursor.at = at;
    const value = readObject(this.#cursor, 1);
    if (value === undefined) return this.#cursor.failure;
    const end = this.#cursor.at;
    if (match(seam, this.#text, end) === null) {
      return parseFailure(match(closing, this.#text, end) === null ? 'glued_text' : 'stray_bracket', end);
    }
    this.#end = end;
    this.#values += 1;
    if (this.#value === null) this.#value = value;
    else {
      this.#fingerprint ??= canonical(this.#value);
      if (canonical(value) !== this.#fingerprint) return parseFailure('ambiguous', at);
    }
    return end;
  }

  /** What is wrong with an object at `at`, judged by what stands before it; null when nothing is. */
  #misplacement(at: number): ReadingCode | null {
    const before = this.#visibleBefore(at);
    const mark = this.#text.charAt(before);
    if (mark === '[') return 'not_an_object';
    // `["x", {` and `{…}, {` are lists; `Sure, {` is prose.
    if (mark === ',' && (this.#listOpened || this.#value !== null)) return 'not_an_object';
    // `"key": {` is a member of an object whose beginning is missing.
    if (mark === ':' && this.#text[this.#visibleBefore(before)] === '"') return 'not_an_object';
    if (before < at - 1 || before < 0 || at === this.#end || '`~*>:'.includes(mark)) return null;
    // A fence may name its language and go on: ```json{
    return /[`~][\w+-]{1,16}$/.test(this.#text.slice(Math.max(0, at - 17), at)) ? null : 'glued_text';
  }

  #visibleBefore(at: number): number {
    let before = at - 1;
    while (before >= 0 && /\s/.test(this.#text.charAt(before))) before -= 1;
    return before;
  }
}

function match(sticky: RegExp, text: string, at: number): string | null {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? null;
}
