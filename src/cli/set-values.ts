import { InvalidArgumentError, Option } from 'commander';
import { ApplicationError } from '../application/application-error.js';
import { findReview } from '../application/claim-review.js';
import { offeredCandidate } from '../application/review-sheet.js';
import { nearestWord } from '../domain/nearest-word.js';
import type { StoredJson } from '../ports/attempt-store.js';
import type { Store } from '../ports/store.js';
import { tokensOf } from '../verification/pointer.js';

/** One value to put where a JSON Pointer says. */
interface Setting {
  readonly pointer: string;
  readonly value: StoredJson;
}

export interface SetOptions {
  readonly set?: readonly Setting[];
}

export const setting = () =>
  new Option(
    '--set <pointer=value>',
    'change one value, as in /total=8.80 or /lines/0/amount=1.20; a list or an object as JSON; can be given several times',
  ).argParser((text: string, before: readonly Setting[] | undefined) => [...(before ?? []), settingOf(text)]);

function settingOf(text: string): Setting {
  const at = text.indexOf('=');
  const pointer = text.slice(0, Math.max(at, 0)).trim();
  if (!pointer.startsWith('/'))
    throw new InvalidArgumentError('It must be a pointer and a value: /total=8.80.');
  return { pointer, value: readValue(text.slice(at + 1)) };
}

/** A text as it stands, so that no digit is lost; JSON only where it begins like a list, an object or a text in quotes. */
function readValue(text: string): StoredJson {
  if (text === 'null') return null;
  if (!/^\s*[[{"]/.test(text)) return text;
  try {
    return JSON.parse(text) as StoredJson;
  } catch {
    throw new InvalidArgumentError('What begins with [, { or " must be JSON.');
  }
}

/**
 * `given`, or else what the review offers as a start, with these values set; null when nothing was given or set.
 * Throws ApplicationError `not_found`, or `invalid_request` for a place that the record does not have.
 */
export async function valuesWith(
  store: Store,
  review: string,
  given: StoredJson,
  { set = [] }: SetOptions,
): Promise<StoredJson> {
  if (set.length === 0) return given;
  const base = given ?? (await offeredCandidate({ store }, await findReview({ store }, review)));
  if (base === null) {
    throw new ApplicationError(
      'invalid_request',
      'No whole candidate was read for this document: give the whole record with --values.',
    );
  }
  return set.reduce(withValue, base);
}

function withValue(record: StoredJson, { pointer, value }: Setting): StoredJson {
  return placed(record, tokensOf(pointer), value, pointer);
}

/** A field that is not there yet may be set; what stands above it must be there. "-" is behind the end of a list. */
function placed(
  inside: StoredJson | undefined,
  [token, ...rest]: readonly string[],
  value: StoredJson,
  pointer: string,
): StoredJson {
  if (token === undefined) return value;
  if (Array.isArray(inside)) {
    const items = inside as readonly StoredJson[];
    const index = token === '-' ? items.length : Number(token);
    const isPlace = (/^\d+$/.test(token) || token === '-') && index <= items.length;
    if (!isPlace) throw nowhere(pointer);
    return [...items.slice(0, index), placed(items[index], rest, value, pointer), ...items.slice(index + 1)];
  }
  if (typeof inside !== 'object' || inside === null) throw nowhere(pointer);
  const fields = inside as { readonly [name: string]: StoredJson };
  assertNear(fields, token, pointer);
  return { ...fields, [token]: placed(fields[token], rest, value, pointer) };
}

/** A field that the record lacks may be set, but not one that is another's name misspelt. */
function assertNear(fields: { readonly [name: string]: StoredJson }, token: string, pointer: string): void {
  if (Object.hasOwn(fields, token)) return;
  const nearest = nearestWord(token, Object.keys(fields));
  if (nearest === null || !nearest.isNear) return;
  const meant = pointer.replace(`/${token}`, `/${nearest.word}`);
  throw new ApplicationError(
    'invalid_request',
    `The record has no field ${pointer}; did you mean ${meant}? (A field that it really lacks is given with --values.)`,
  );
}

function nowhere(pointer: string): ApplicationError {
  return new ApplicationError('invalid_request', `The record has no place ${pointer}.`);
}
