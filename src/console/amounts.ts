import type { StoredJson } from '../ports/attempt-store.js';
import type { Field, FieldKind, Fields } from '../spec/field.js';
import type { Spec } from '../spec/spec.js';
import { decimals } from './parts/format.js';

/** The value of a field as people read it: an amount with its digits in groups, anything else as it is. */
export function readable<T extends StoredJson | undefined>(
  spec: Pick<Spec, 'fields'> | null,
  pointer: string,
  value: T,
): T | string {
  const kind = kindAt(spec?.fields ?? {}, pointer);
  return typeof value === 'string' && (kind === 'money' || kind === 'decimal') ? decimals(value, 0) : value;
}

function kindAt(fields: Fields, pointer: string): FieldKind | null {
  let found: Field<unknown> | null = null;
  for (const token of pointer.split('/').slice(1)) {
    if (/^\d+$/.test(token) && found?.kind === 'list') continue;
    const inner: Fields = found === null ? fields : (found.children ?? {});
    if (!Object.hasOwn(inner, token)) return null;
    found = inner[token] ?? null;
  }
  return found?.kind ?? null;
}
