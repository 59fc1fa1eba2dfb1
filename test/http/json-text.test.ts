import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFreeOfHalves, nestingOf } from '../../src/http/json-text.js';

/** How deep a value is, by walking it. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const texts = fc.oneof(fc.string(), fc.constantFrom('[', '{"', '\\', '\\"', '"]}', '\\\\'));
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    texts,
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 4 }),
  ),
})).value;

describe('the nesting of a JSON text', () => {
  it('is that of its value, whatever its texts hold', () => {
    fc.assert(fc.property(values, (value) => nestingOf(JSON.stringify(value)) === depthOf(value)));
  });

  it.each([
    ['', 0],
    ['[[', 2],
    ['"[[[', 0],
    [']]]{', 0],
    [`${'['.repeat(200_000)}`, 200_000],
  ])('of %s is %i', (text, depth) => {
    expect(nestingOf(text)).toBe(Math.max(depth, 0));
  });
});

describe('a JSON text', () => {
  it('is free of halves when its value is well-formed, however it is escaped', () => {
    const escaped = (text: string) =>
      JSON.stringify(text).replace(
        /[^\x20-\x7e]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    const text = fc.string({ unit: 'binary', minLength: 1 });
    fc.assert(fc.property(text, (value) => isFreeOfHalves(escaped(value)) === !value.includes('\0')));
  });

  it.each([
    '"\\u0000"',
    '"\\ud83d"',
    '"\\ude00"',
    '"\\u0041\\ud83d"',
    '"\\ud83d\\u0041"',
    '"\\ud83d\\ud83d\\ude00"',
    '"\0"',
  ])('%s is not', (text) => {
    expect(isFreeOfHalves(text)).toBe(false);
  });

  it.each(['"\\\\u0000"', '"\\u0041\\ud83d\\ude00"', '"\\\\\\\\ud83d"', '"\\"\\ud83d\\ude00\\\\"', '{}'])(
    '%s is',
    (text) => {
      expect(isFreeOfHalves(text)).toBe(true);
    },
  );
});
