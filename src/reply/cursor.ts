import { isWhitespace } from './character.js';
import { type Normalisation, parseFailure, type ReadFailure, type ReadingCode } from './reading.js';

/**
 * A position in a reply's text, shared by the functions that read tokens from it. They return `undefined` after
 * `fail`, and stop there; nothing is ever closed, completed or skipped on the text's behalf.
 */
export class Cursor {
  readonly text: string;
  at = 0;
  readonly normalisations: Normalisation[] = [];
  /** Keys of this reply by a hash of their characters; a later key may push an earlier one out. */
  readonly knownKeys: string[] = [];
  readonly #lenient: boolean;
  #code: ReadingCode = 'incomplete';
  #failedAt = 0;

  /** `lenient` allows the three normalisations inside a value. */
  constructor(text: string, lenient: boolean) {
    this.text = text;
    this.#lenient = lenient;
  }

  /** Why reading stopped; meaningful once a read has returned `undefined`. */
  get failure(): ReadFailure {
    return parseFailure(this.#code, this.#failedAt);
  }

  /** Moves to the next character that is not JSON whitespace and returns its code, NaN at the end. */
  skipWhitespace(): number {
    let at = this.at;
    let code = this.text.charCodeAt(at);
    while (isWhitespace(code)) {
      at += 1;
      code = this.text.charCodeAt(at);
    }
    this.at = at;
    return code;
  }

  /** Tags a change to the text at `at`, or fails where the request mode promised that none is needed. */
  normalise(kind: Exclude<Normalisation['kind'], 'byte_order_mark'>, at: number): boolean {
    if (this.#lenient) this.normalisations.push({ kind, at });
    else this.fail(kind, at);
    return this.#lenient;
  }

  fail(code: ReadingCode, at: number): undefined {
    this.#code = code;
    this.#failedAt = at;
    return undefined;
  }

  /** The character here fits nothing. Input that merely ran out is its own failure, since it may have been cut. */
  unexpected(): undefined {
    const character = this.text[this.at];
    if (character === undefined) return this.fail('incomplete', this.at);
    return this.fail(character === '/' || character === '#' ? 'comment' : 'unexpected_character', this.at);
  }
}
