import type { JsonSchema } from './json-schema.js';

/** Keywords that the provider's structured outputs take; anything else is refused there with a 400. */
const keywords = new Set([
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'enum',
  'anyOf',
  'pattern',
  'format',
]);

/** Limits of the provider: 16 fields with alternatives, 24 optional fields in one schema. */
const maximumUnions = 16;
const maximumOptional = 24;

interface Counts {
  unions: number;
  optional: number;
}

/**
 * Why the provider would refuse this schema, in one sentence; null when it would take it. Checks keywords, closed
 * objects, `minItems` 0 or 1, and the numbers of alternatives and optional fields.
 */
export function wireSchemaFault(schema: JsonSchema): string | null {
  const counts: Counts = { unions: 0, optional: 0 };
  const fault = faultOf(schema, '', counts);
  if (fault !== null) return fault;
  if (counts.unions > maximumUnions) {
    return `The schema has ${counts.unions} fields with alternatives (asPrinted); the provider takes ${maximumUnions}.`;
  }
  if (counts.optional > maximumOptional) {
    return `The schema has ${counts.optional} optional fields; the provider takes ${maximumOptional}.`;
  }
  return null;
}

function faultOf(schema: JsonSchema, where: string, counts: Counts): string | null {
  const at = where === '' ? 'the schema' : `the schema of ${where}`;
  const unknown = Object.keys(schema).find((keyword) => !keywords.has(keyword));
  if (unknown !== undefined) return `The keyword "${unknown}" in ${at} is not taken by the provider.`;
  const { type, minItems, items, properties, required, anyOf } = schema;
  if (minItems !== undefined && minItems !== 0 && minItems !== 1) return `minItems in ${at} must be 0 or 1.`;
  if (Array.isArray(type) || anyOf !== undefined) counts.unions += 1;
  if (type === 'object' && schema['additionalProperties'] !== false) {
    return `additionalProperties in ${at} must be false.`;
  }
  const fields = isSchema(properties) ? Object.entries(properties) : [];
  const names = new Set(Array.isArray(required) ? required : []);
  counts.optional += fields.filter(([name]) => !names.has(name)).length;
  const inner: readonly (readonly [string, unknown])[] = [
    ...fields.map(([name, field]) => [`${where}/${name}`, field] as const),
    ...(isSchema(items) ? [[`${where}/*`, items] as const] : []),
    ...(Array.isArray(anyOf) ? anyOf.map((option: unknown) => [where, option] as const) : []),
  ];
  for (const [pointer, field] of inner) {
    const fault = isSchema(field) ? faultOf(field, pointer, counts) : `${pointer} has no schema.`;
    if (fault !== null) return fault;
  }
  return null;
}

function isSchema(value: unknown): value is JsonSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
