import { toDecimal, toText } from '../verification/decimal-text.js';
import type { Field, FieldKind, Fields } from './field.js';
import type { PlainJson } from './read-record.js';
import type { Spec } from './spec.js';

const numeric: ReadonlySet<FieldKind> = new Set(['money', 'decimal', 'percent', 'count']);

/**
 * One text for all spellings of one candidate, for telling whether an attempt made progress: keys sorted, amounts by
 * value, so that 25.0 after 25.00 is the same candidate. Codes and words are compared as they are.
 */
export function canonicalCandidate(spec: Spec, candidate: PlainJson): string {
  return JSON.stringify(ordered(candidate, spec.fields, null));
}

function ordered(value: PlainJson, fields: Fields | null, field: Field<unknown> | null): PlainJson {
  if (typeof value === 'string') {
    const decimal = field !== null && numeric.has(field.kind) ? toDecimal(value) : null;
    return decimal === null ? value : toText(decimal);
  }
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map((item) => ordered(item, fields, field));
  const names = Object.keys(value).sort();
  return names.map((name) => {
    const inner = fields !== null && Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
    return [name, ordered(value[name] ?? null, inner?.children ?? null, inner)];
  });
}

/** `Array.isArray` does not narrow read-only arrays. */
function isList(value: object): value is readonly PlainJson[] {
  return Array.isArray(value);
}
