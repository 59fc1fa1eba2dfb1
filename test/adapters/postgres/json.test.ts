import fc from 'fast-check';
import { expect, it } from 'vitest';
import { json, jsonOrNull, withoutNul } from '../../../src/adapters/postgres/json.js';

/** The rule, told another way: character by character. */
function storable(value: unknown): unknown {
  if (typeof value === 'string')
    return [...value].map((char) => (/^(\0|[\ud800-\udfff])$/.test(char) ? '\u{FFFD}' : char)).join('');
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), storable(inner)]));
}

const anyText = fc.string({
  unit: fc.constantFrom('a', '\\', '"', 'u0000', 'ud83d', '\0', '\n', '\ud83d', '\ude00', 'é'),
});

it('changes NUL and halves of surrogate pairs, and nothing else', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.array(anyText), fc.dictionary(anyText, anyText), fc.json()), (value) => {
      expect(JSON.parse(json(value))).toEqual(storable(value));
      expect(json(value)).not.toMatch(/(?<!\\)(\\\\)*\\u0000/);
    }),
  );
});

it('keeps a missing value as the null of the database', () => {
  expect(jsonOrNull(null)).toBeNull();
  expect(jsonOrNull('')).toBe('""');
});

it('takes NUL out of texts and lists of texts, and leaves other parameters alone', () => {
  const bytes = Buffer.from([0, 1]);
  expect([withoutNul('a\0b'), withoutNul(['\0', 'b']), withoutNul(7), withoutNul(bytes)]).toEqual([
    'a\u{FFFD}b',
    ['\u{FFFD}', 'b'],
    7,
    bytes,
  ]);
});
