import type { Fields } from './field.js';

type Json = null | boolean | string | number | readonly Json[] | { readonly [key: string]: Json };

/**
 * The same JSON with its keys in the order of the fields; keys that no field names come last, as they were. A database
 * keeps what a record says, not the order in which it says it.
 */
export function inFieldOrder(fields: Fields, value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map((item) => inFieldOrder(fields, item));
  const named = Object.keys(fields).filter((name) => Object.hasOwn(value, name));
  const others = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
  return Object.fromEntries(
    [...named, ...others].map((name) => {
      const inner = value[name] ?? null;
      const children = Object.hasOwn(fields, name) ? fields[name]?.children : null;
      return [name, inFieldOrder(children ?? {}, inner)];
    }),
  );
}

/** `Array.isArray` does not narrow read-only arrays. */
function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
