import { describe, expect, it } from 'vitest';
import specs from '../../specs/index.js';
import { asPrinted, list, money, record, text } from '../../src/spec/index.js';
import { wireSchemaFault } from '../../src/spec/wire-schema.js';

/** Every keyword used anywhere in a schema, and every object in it. */
function walk(schema: unknown, objects: Record<string, unknown>[] = []): Record<string, unknown>[] {
  if (schema === null || typeof schema !== 'object') return objects;
  const { properties, items, anyOf } = schema as { properties?: object; items?: unknown; anyOf?: unknown[] };
  objects.push(schema as Record<string, unknown>);
  for (const inner of [...Object.values(properties ?? {}), items, ...(anyOf ?? [])]) walk(inner, objects);
  return objects;
}

describe('the schema on the wire', () => {
  it.each(specs.map((spec) => [spec.id, spec] as const))(
    'of %s keeps to what the provider takes',
    (_id, spec) => {
      const schemas = walk(spec.jsonSchema);
      expect(schemas.length).toBeGreaterThan(8);
      const keywords = new Set(schemas.flatMap((schema) => Object.keys(schema)));
      const allowed =
        'type title description properties required additionalProperties items minItems enum anyOf pattern format';
      expect([...keywords].filter((keyword) => !allowed.split(' ').includes(keyword))).toEqual([]);
      for (const schema of schemas.filter(({ type }) => type === 'object')) {
        expect(schema['additionalProperties']).toBe(false);
        expect(schema['required']).toEqual(Object.keys(schema['properties'] as object));
      }
      expect(schemas.filter(({ anyOf }) => anyOf !== undefined).length).toBeLessThanOrEqual(16);
      expect(JSON.stringify(spec.jsonSchema)).not.toMatch(
        /"(maximum|minimum|minLength|maxLength|maxItems|default|\$ref)"/,
      );
      expect(wireSchemaFault(spec.jsonSchema)).toBeNull();
    },
  );

  it('calls fields what documents call them', () => {
    const claim = specs.find(({ id }) => id === 'claim')?.jsonSchema as {
      properties: Record<string, { title: string }>;
    };
    expect(claim.properties['policy_number']?.title).toBe('Policy number');
    expect(claim.properties['total_claimed']?.title).toBe('Total claimed');
  });

  it('gives a field that may be left out its value and two honest words', () => {
    expect(asPrinted(money('Deductible')).json).toMatchObject({
      title: 'Deductible',
      anyOf: [
        { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' },
        { type: 'string', enum: ['not_printed', 'blank'] },
      ],
    });
  });
});

describe('a schema that the provider would refuse', () => {
  const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  });
  const many = (count: number, schema: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, schema]));

  it.each<[string, object, RegExp]>([
    ['an unknown keyword', { type: 'string', minLength: 1 }, /"minLength" in the schema is not taken/],
    [
      'one deep inside',
      object({ a: { type: 'array', items: object({ b: { maximum: 5 } }) } }),
      /"maximum" in the schema of \/a\/\*\/b/,
    ],
    ['one in an alternative', object({ a: { anyOf: [{ const: 'x' }] } }), /"const" in the schema of \/a /],
    [
      'an open object',
      { type: 'object', properties: {} },
      /additionalProperties in the schema must be false/,
    ],
    [
      'a list of at least two',
      object({ a: { type: 'array', minItems: 2 } }),
      /minItems in the schema of \/a must be 0 or 1/,
    ],
    ['a field without a schema', object({ a: true }), /\/a has no schema/],
    ['too many alternatives', object(many(17, { type: ['string', 'null'] })), /17 fields with alternatives/],
    ['too many optional fields', object(many(25, { type: 'string' }), []), /25 optional fields/],
    [
      'no list of required fields',
      { ...object(many(25, { type: 'string' })), required: undefined },
      /25 optional/,
    ],
  ])('is told in one sentence: %s', (_what, schema, message) => {
    expect(wireSchemaFault(schema as never)).toMatch(message);
  });

  it('is not one with a list that may be empty, or 24 optional fields', () => {
    expect(wireSchemaFault(object({ a: { type: 'array', minItems: 0 } }))).toBeNull();
    expect(wireSchemaFault(object(many(24, { type: 'string' }), []))).toBeNull();
    expect(wireSchemaFault(record('R', { rows: list('Rows', { t: text('T') }) }).json)).toBeNull();
  });
});
