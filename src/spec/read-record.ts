import type { z } from 'zod';
import { type JsonValue, NumberText } from '../reply/json-value.js';
import { get, join } from '../verification/pointer.js';
import type { Problem } from '../verification/problem.js';
import type { Field, Fields } from './field.js';
import type { Spec } from './spec.js';

/** JSON as `JSON.parse` makes it, except that numbers of the reply are texts with all their digits. */
export type PlainJson =
  | null
  | boolean
  | string
  | readonly PlainJson[]
  | { readonly [key: string]: PlainJson };

export type RecordReading<T> =
  | { readonly kind: 'record'; readonly record: T; readonly candidate: PlainJson }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[]; readonly candidate: PlainJson };

/** More would tell nobody more, and problem references go into workflow history. */
const maximumProblems = 100;

/**
 * Turns the value of a reply into a record of the spec, or into what is wrong with its shape. Never throws. Numbers
 * become their digits, so an amount sent as a JSON number keeps every one of them. Rule ids: `schema/missing`,
 * `schema/type`, `schema/unknown-field`, `schema/empty-list`, `schema/format`. Pointers name fields of the spec only,
 * never a key that the model made up.
 */
export function readRecord<T>(spec: Spec<T>, value: JsonValue): RecordReading<T> {
  const candidate = plain(value);
  const parsed = spec.schema.safeParse(candidate);
  if (parsed.success) return { kind: 'record', record: parsed.data, candidate };
  return { kind: 'problems', problems: shapeProblems(spec, candidate, parsed.error), candidate };
}

/** What is wrong with the shape of a value, as `readRecord` says it; nothing for a record of the spec. */
export function problemsOf(spec: Spec, value: unknown): readonly Problem[] {
  const parsed = spec.schema.safeParse(value);
  return parsed.success ? [] : shapeProblems(spec, value, parsed.error);
}

function shapeProblems(spec: Spec, value: unknown, error: z.ZodError): readonly Problem[] {
  return error.issues.slice(0, maximumProblems).map((issue) => problem(spec, value, issue));
}

function plain(value: JsonValue): PlainJson {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof NumberText) return value.text;
  if (isList(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** `Array.isArray` does not narrow read-only arrays. */
function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function problem(spec: Spec, candidate: unknown, issue: z.core.$ZodIssue): Problem {
  const pointer = issue.path.reduce<string>((parent, key) => join(parent, String(key)), '');
  const found = get(candidate, pointer);
  const field = fieldAt(spec.fields, issue.path);
  const title = field?.title ?? spec.title;
  const expected =
    field?.expects ?? `an object with exactly the fields ${Object.keys(spec.fields).join(', ')}`;
  if (issue.code === 'unrecognized_keys') {
    const message = `${title} holds fields that the schema does not have.`;
    return { rule: 'schema/unknown-field', pointer, message, expected, found: issue.keys.join(', ') };
  }
  const [rule, message] = ruleOf(issue, title, found);
  return { rule, pointer, message, expected, found: shown(found) };
}

function ruleOf(issue: z.core.$ZodIssue, title: string, found: unknown): readonly [string, string] {
  if (found === undefined) return ['schema/missing', `${title} is missing.`];
  if (issue.code === 'too_small') return ['schema/empty-list', `${title} is empty.`];
  const nothing = `${title} is empty: nothing like it was read.`;
  if (found === null) return ['schema/type', nothing];
  if (typeof found !== 'string') return ['schema/type', `${title} has the wrong type.`];
  if (found.trim() === '') return ['schema/format', nothing];
  return ['schema/format', `${title} is not spelled as expected.`];
}

function fieldAt(fields: Fields, path: readonly PropertyKey[]): Field<unknown> | null {
  let inner: Fields | null = fields;
  let field: Field<unknown> | null = null;
  for (const key of path) {
    // An index leads into a list's items, whose fields the list holds.
    if (typeof key === 'number') continue;
    field = inner?.[String(key)] ?? null;
    inner = field?.children ?? null;
  }
  return field;
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return value !== null && typeof value === 'object' ? 'an object' : String(value);
}
