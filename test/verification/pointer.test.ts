import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expand, get, join, leaves, set, tokensOf } from '../../src/verification/pointer.js';

const json = fc.jsonValue({ maxDepth: 4 });

describe('pointers', () => {
  it('find every leaf of any document where it says it is', () => {
    fc.assert(
      fc.property(json, (document) => {
        for (const { pointer, value } of leaves(document)) expect(get(document, pointer)).toEqual(value);
      }),
    );
  });

  it('escape and unescape any name', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (names) => {
        const pointer = names.reduce((parent, name) => join(parent, name), '');
        expect(tokensOf(pointer)).toEqual(names);
      }),
    );
  });

  it('set a value in a copy and nowhere else', () => {
    const document = { a: [{ b: '1' }, { b: '2' }], c: 'x' };
    const changed = set(document, '/a/1/b', '3');
    expect(changed).toEqual({ a: [{ b: '1' }, { b: '3' }], c: 'x' });
    expect(document.a[1]?.b).toBe('2');
    expect(set(document, '', 'whole')).toBe('whole');
  });

  it('change nothing where they lead nowhere', () => {
    const document = { a: { b: '1' } };
    expect(set(document, '/a/x/y', '3')).toEqual(document);
    expect(set(document, '/z', '3')).toEqual(document);
    expect(set(document, '/a/b/c', '3')).toEqual(document);
  });

  it('never reach inherited properties', () => {
    expect(get({}, '/constructor')).toBeUndefined();
    expect(get({}, '/__proto__')).toBeUndefined();
    expect(get([1], '/length')).toBeUndefined();
    expect(get('text', '/length')).toBeUndefined();
    expect(get(null, '/a')).toBeUndefined();
  });
});

describe('patterns', () => {
  const record = { rows: [{ amount: '1' }, {}, { amount: '3' }], total: '4' };

  it('name every row that has the field', () => {
    expect(expand(record, '/rows/*/amount')).toEqual([
      { pointer: '/rows/0/amount', value: '1' },
      { pointer: '/rows/2/amount', value: '3' },
    ]);
    expect(expand(record, '/total')).toEqual([{ pointer: '/total', value: '4' }]);
  });

  it('name nothing in a list that is absent, empty or no list', () => {
    for (const rows of [undefined, null, [], 'rows', {}])
      expect(expand({ rows }, '/rows/*/amount')).toEqual([]);
    expect(expand({}, '/rows/*/amount')).toEqual([]);
  });
});
