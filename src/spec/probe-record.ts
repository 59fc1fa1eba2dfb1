import { suggestion } from '../domain/nearest-word.js';
import type { Field, Fields } from './field.js';

/**
 * What an author's function asks of a record that its fields do not have, such as `record.totl`: it would get nothing,
 * and hold, or find no amount, for every record. The function is tried on a made-up record; that it may stumble over its
 * values says nothing. Null when everything it asked for is there.
 */
export function misreadName(fields: Fields, read: (record: never) => unknown): string | null {
  const misread: string[] = [];
  try {
    read(probe(fields, misread) as never);
  } catch {
    // A made-up record proves nothing but names.
  }
  return misread[0] ?? null;
}

function probe(fields: Fields, misread: string[]): object {
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, sampleOf(field, misread)]),
  );
  return new Proxy(values, {
    get(target, key) {
      // What every object has, or serialisers look for, is no name of a field.
      if (typeof key === 'string' && !(key in target) && key !== 'toJSON' && key !== 'then') {
        const names = Object.keys(fields);
        misread.push(`reads "${key}", which is no field there${suggestion(key, names)}`);
      }
      return Reflect.get(target, key) as unknown;
    },
  });
}

function sampleOf(field: Field<unknown>, misread: string[]): unknown {
  const { kind, children, json } = field;
  if (children !== null) {
    const inner = probe(children, misread);
    return kind === 'list' ? [inner] : inner;
  }
  if (kind === 'currency') return 'EUR';
  if (kind === 'date') return '2024-02-29';
  if (kind === 'choice') return (json['enum'] as readonly string[] | undefined)?.[0] ?? 'A';
  return kind === 'text' || kind === 'identifier' ? 'A' : '1';
}
