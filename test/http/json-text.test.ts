import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFreeOfHalves, shapeOf } from '../../src/http/json-text.js';

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
    fc.assert(fc.property(values, (value) => shapeOf(JSON.stringify(value)).nesting === depthOf(value)));
  });

  it.each([
    ['', 0],
    ['[[', 2],
    ['"[[[', 0],
    [']]]{', 0],
    [`${'['.repeat(200_000)}`, 200_000],
  ])('of %s is %i', (text, depth) => {
    expect(shapeOf(text).nesting).toBe(Math.max(depth, 0));
  });
});

describe('the names of a JSON text', () => {
  it('are never given twice where a value was written, however it is spaced', () => {
    const isClear = (text: string) => shapeOf(text).repeated === null;
    fc.assert(
      fc.property(
        values,
        (value) => isClear(JSON.stringify(value)) && isClear(JSON.stringify(value, null, 3)),
      ),
    );
  });

  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a" \n:1,"b":["a"],"\\u0061"\t: 2}', 'a'],
    ['[{"x":{"a":1}},{"x":{"b":1,"a":{"b":2},"b":3}}]', 'b'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a\\"b":1,"a\\"b":2}', 'a"b'],
    ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}', null],
    ['{"a":"a:","b":"a"}', null],
    ['{"\\x":1,"\\x":2}', '"\\x"'],
  ])('of %s: %j is given twice', (text, name) => {
    expect(shapeOf(text).repeated).toBe(name);
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
