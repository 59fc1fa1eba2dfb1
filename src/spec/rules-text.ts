import { canonical } from '../reply/canonical.js';
import type { JsonValue } from '../reply/json-value.js';
import type { Constraint } from '../verification/constraint.js';
import type { Fields } from './field.js';
import { patternsOf } from './named-fields.js';

/**
 * How the rules of a spec were made, in one text that changes when one of them does: for a ready-made rule its options as
 * its author gave them, for any other its id, since the text of a function changes with every compiler; and how documents
 * print each field. What a rule says of itself is only words.
 */
export function rulesText(constraints: readonly Constraint<never>[], fields: Fields): string {
  const rules = constraints.map(({ id, made }) => {
    if (made === undefined) return [id];
    const { says: _, ...options } = made.options as { readonly says?: unknown };
    return [id, made.by, options];
  });
  const prints = [...patternsOf(fields)].map(([pattern, { kind, print }]) => [pattern, kind, print]);
  // What is not given must count like what is left out.
  return canonical(JSON.parse(JSON.stringify([rules, prints])) as JsonValue);
}
