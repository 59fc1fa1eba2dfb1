import { canonical } from './canonical.js';
import type { JsonObject } from './json-value.js';
import { parseFailure, type ReadFailure, type Reading, type ReadingCode } from './reading.js';
import { ValueScanner } from './value-scanner.js';

const maxValues = 64;

/**
 * Finds the one object in the text of a model that was merely asked for JSON. Around it may stand: prose, code fences
 * of any length, closed thinking blocks, byte order marks, square brackets before it, `{word}` and `[1]` anywhere.
 * The same object twice is one; two different ones are `ambiguous`.
 *
 * The rest are refusals on purpose. A `{` that does not read ends the search, or the inner object of a broken outer
 * one would be promoted; a bracket left over means that a value was closed early; text that touches the object means
 * the same.
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

class Search {
  readonly #text: string;
  readonly #scanner: ValueScanner;
  #value: JsonObject | null = null;
  #fingerprint: string | null = null;
  #values = 0;
  /** Square brackets opened and not closed in the prose so far. */
  #openLists = 0;

  constructor(text: string) {
    this.#text = text;
    this.#scanner = new ValueScanner(text, true);
  }

  /** Handles the mark at `at`; returns where the search goes on, or why it is over. */
  pass(mark: string, at: number): number | ReadFailure {
    if (mark === '\uFEFF') {
      this.#scanner.normalisations.push({ kind: 'byte_order_mark', at });
      return at + 1;
    }
    if (mark === '<') return this.#tag(at);
    const prose = match(/\{\w{1,64}\}|\[\w{1,64}\]/y, this.#text, at);
    if (prose !== null) return at + prose.length;
    if (mark === '{') return this.#object(at);
    if (mark === '}' || this.#value !== null) return parseFailure('stray_bracket', at);
    this.#openLists = mark === '[' ? this.#openLists + 1 : Math.max(0, this.#openLists - 1);
    return at + 1;
  }

  result(): Reading {
    if (this.#value === null) return parseFailure('no_object', this.#text.length);
    return { kind: 'value', value: this.#value, normalisations: this.#scanner.normalisations };
  }

  #tag(at: number): number | ReadFailure {
    const tag = match(/<\/?(?:think|thinking|reasoning)>/iy, this.#text, at);
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
    const setting = this.#settingFault(at);
    if (setting !== null) return parseFailure(setting, at);
    if (this.#values === maxValues) return parseFailure('too_many_values', at);
    this.#scanner.at = at;
    const value = this.#scanner.object(1);
    if (value === undefined) return this.#scanner.failure;
    const end = this.#scanner.at;
    // A code fence, emphasis or a closing tag may touch the value; anything else may be part of it.
    if (match(/$|[\s`~*<]/y, this.#text, end) === null) return parseFailure('glued_text', end);
    this.#values += 1;
    if (this.#value === null) this.#value = value;
    else {
      this.#fingerprint ??= canonical(this.#value);
      if (canonical(value) !== this.#fingerprint) return parseFailure('ambiguous', at);
    }
    return end;
  }

  /** What is wrong with the place of an object that starts at `at`, judged by what stands before it. */
  #settingFault(at: number): ReadingCode | null {
    let before = at - 1;
    while (before >= 0 && /\s/.test(this.#text.charAt(before))) before -= 1;
    const mark = this.#text.charAt(before);
    if (mark === '[') return 'not_an_object';
    // `["x", {` and `{…}, {` are lists; `Sure, {` is prose.
    if (mark === ',' && (this.#openLists > 0 || this.#value !== null)) return 'not_an_object';
    // `"key": {` is a member of an object whose beginning is missing.
    if (mark === ':' && /"\s*$/.test(this.#text.slice(Math.max(0, before - 16), before)))
      return 'not_an_object';
    if (before < at - 1 || before < 0 || '`~*>:'.includes(mark)) return null;
    // A fence may name its language and go on: ```json{
    return /[`~][\w+-]{1,16}$/.test(this.#text.slice(Math.max(0, at - 17), at)) ? null : 'glued_text';
  }
}

function match(sticky: RegExp, text: string, at: number): string | null {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? null;
}
