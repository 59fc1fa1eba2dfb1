import type { Truncation } from '../domain/attempt-report.js';
import type { FailureClass } from '../domain/failure-class.js';
import type { JsonObject } from './json-value.js';

/**
 * A change that reading made to the bytes, and where. All positions are offsets into the reply's text in UTF-16
 * units, from 0. `byte_order_mark` was dropped outside the value; the others exist in plain mode only.
 */
export interface Normalisation {
  readonly kind: 'byte_order_mark' | 'trailing_comma' | 'bare_key' | 'control_character';
  readonly at: number;
}

/** What is wrong, in words that quote nothing: a document's text must not travel in messages or logs. */
const sentences = {
  max_tokens: 'The reply was cut off at its token ceiling.',
  context_window: 'The reply was cut off because the context window was full.',
  refusal: 'The model refused.',
  unknown_stop_reason: 'The reply ended for a reason this version does not know.',
  empty: 'The reply ended by itself but holds no text.',
  too_large: 'The reply is longer than 8,388,608 characters.',
  no_object: 'The reply holds no JSON object.',
  not_an_object: 'The reply is not one JSON object but a list or a part of one.',
  text_outside_value: 'There is text around the JSON object where none is allowed.',
  glued_text: 'Text touches the JSON object, so where the object ends is not certain.',
  stray_bracket: 'A bracket outside the JSON object has no partner.',
  unclosed_think: 'A thinking block is never closed.',
  unopened_think: 'A thinking block ends after a JSON object, so the object may be a draft.',
  ambiguous: 'The reply holds two different JSON objects.',
  too_many_values: 'The reply holds more than 64 JSON objects.',
  incomplete: 'The reply ends before its JSON object does.',
  unexpected_character: 'This character cannot stand here in JSON.',
  comment: 'JSON has no comments.',
  too_deep: 'The JSON object is nested more than 64 levels deep.',
  duplicate_key: 'A key is repeated within one object.',
  forbidden_key: 'A key is named __proto__, constructor or prototype.',
  not_finite: 'NaN and Infinity are not JSON numbers.',
  bad_number: 'This is not a JSON number.',
  number_out_of_range: 'This number has more than 1,000 characters or a power of ten beyond 9,999.',
  bad_escape: 'This escape does not exist in JSON.',
  nul_character: 'A string holds the character NUL, which cannot be stored.',
  lone_surrogate: 'A string holds half a character (a lone surrogate), which cannot be stored.',
  trailing_comma: 'A comma stands before a closing bracket.',
  bare_key: 'A key has no quotes.',
  control_character: 'A string holds a raw control character.',
} as const;

/** Stable ids; `trailing_comma`, `bare_key` and `control_character` are failures in constrained and tool mode only. */
export type ReadingCode = keyof typeof sentences;

/** Exactly one object was read, completely. */
export interface ReadValue {
  readonly kind: 'value';
  readonly value: JsonObject;
  readonly normalisations: readonly Normalisation[];
}

/** No value was read. `at` is where the text stopped making sense, null where no position is at fault. */
export interface ReadFailure {
  readonly kind: 'failure';
  readonly failureClass: Extract<FailureClass, 'truncated' | 'refusal' | 'parse' | 'empty'>;
  readonly code: ReadingCode;
  readonly at: number | null;
  readonly message: string;
  readonly truncation: Truncation | null;
}

export type Reading = ReadValue | ReadFailure;

/** A reply whose text cannot be read as one object. */
export function parseFailure(code: ReadingCode, at: number | null): ReadFailure {
  const message = at === null ? sentences[code] : `${sentences[code]} At character ${at}.`;
  return { kind: 'failure', failureClass: 'parse', code, at, message, truncation: null };
}

/** A reply that was over before its text mattered. */
export function endFailure(
  failureClass: 'truncated' | 'refusal' | 'empty',
  code: Truncation | 'refusal' | 'empty',
): ReadFailure {
  const truncation = code === 'max_tokens' || code === 'context_window' ? code : null;
  return { kind: 'failure', failureClass, code, at: null, message: sentences[code], truncation };
}
