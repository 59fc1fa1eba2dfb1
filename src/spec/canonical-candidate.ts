import { canonical } from '../reply/canonical.js';
import { type JsonValue, NumberText } from '../reply/json-value.js';
import { toDecimal } from '../verification/decimal-text.js';
import type { Field, FieldKind, Fields } from './field.js';
import type { Spec } from './spec.js';

const numeric: ReadonlySet<FieldKind> = new Set(['money', 'decimal', 'percent', 'count']);

/**
 * One text for all spellings of one candidate, for telling whether an attempt made progress and whether a record is the
 * true one: keys sorted, amounts by value, so that 25.0 after 25.00 is the same candidate, whether it came as a number
 * or as a text. Codes and words are compared as they are.
 */
export function canonicalCandidate(spec: Spec, candidate: JsonValue): string {
  return canonical(byValue(candidate, spec.fields, null));
}

function byValue(value: JsonValue, fields: Fields | null, field: Field<unknown> | null): JsonValue {
  if (typeof value === 'string') {
    const isAmount = field !== null && numeric.has(field.kind) && toDecimal(value) !== null;
    return isAmount ? new NumberText(value) : value;
  }
  if (value === null || typeof value !== 'object' || value instanceof NumberText) return value;
  if (isList(value)) return value.map((item) => byValue(item, fields, field));
  const named = (name: string) =>
    fields !== null && Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const own = named(name);
      return [name, byValue(inner, own?.children ?? null, own)];
    }),
  );
}

/** `Array.isArray` does not narrow read-only arrays. */
function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}
