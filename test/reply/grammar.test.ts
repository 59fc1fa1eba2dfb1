import { describe, expect, it } from 'vitest';
import { readPlain, readStrict, told } from './told.js';

type Case = readonly [name: string, text: string, expected: string];

/** Both readers refuse these alike: no mode and no normalisation makes them readable. */
function check(cases: readonly Case[]): void {
  it.each(cases)('%s', (_name, text, expected) => {
    expect(told(readPlain(text))).toBe(expected);
    expect(told(readStrict(text))).toBe(expected);
  });
}

describe('numbers', () => {
  check([
    ['keep every digit', '{"claim_no":2512292042121000001}', '{"claim_no":2512292042121000001}'],
    ['keep trailing zeros', '{"a":[25.00,0.10,-0.0]}', '{"a":[25.00,0.10,-0.0]}'],
    ['keep their exponent as printed', '{"a":[1e2,1E+02,1.5e-007]}', '{"a":[1e2,1E+02,1.5e-007]}'],
    ['NaN', '{"total":NaN}', 'not_finite@9'],
    ['Infinity', '{"total":Infinity}', 'not_finite@9'],
    ['-Infinity', '{"total":[1,-Infinity]}', 'not_finite@12'],
    ['a leading zero', '{"a":012}', 'bad_number@5'],
    ['a leading zero behind a minus', '{"a":-01}', 'bad_number@5'],
    ['a leading plus', '{"a":+1}', 'unexpected_character@5'],
    ['a leading point', '{"a":.5}', 'unexpected_character@5'],
    ['a trailing point', '{"a":5.}', 'bad_number@5'],
    ['an exponent without digits', '{"a":5e+}', 'bad_number@5'],
    ['a minus alone', '{"a":-}', 'bad_number@5'],
    ['thousands separators', '{"a":1,240.00}', 'unexpected_character@7'],
    ['an underscore', '{"a":1_000}', 'unexpected_character@6'],
    ['a hexadecimal number', '{"a":0x1F}', 'unexpected_character@6'],
    ['a unit', '{"a":12EUR}', 'bad_number@5'],
    ['a power of ten of four digits', '{"a":1e9999}', '{"a":1e9999}'],
    ['a power of ten written with leading zeros', '{"a":1e-00009999}', '{"a":1e-00009999}'],
    ['a power of ten that no database holds', '{"a":1e10000}', 'number_out_of_range@5'],
    ['a thousand digits', `{"a":${'7'.repeat(1000)}}`, `{"a":${'7'.repeat(1000)}}`],
    ['a thousand and one', `{"a":${'7'.repeat(1001)}}`, 'number_out_of_range@5'],
    ['cut behind a minus', '{"a":-', 'incomplete@6'],
    ['cut behind a point', '{"a":1.', 'incomplete@7'],
    ['cut behind an exponent', '{"a":1e', 'incomplete@7'],
    ['cut behind its digits', '{"a":12', 'incomplete@7'],
  ]);
});

describe('words', () => {
  check([
    ['the three of JSON', '{"a":[true,false,null]}', '{"a":[true,false,null]}'],
    ['cut', '{"a":tru', 'incomplete@8'],
    ['misspelt', '{"a":trve}', 'unexpected_character@5'],
    ['of other languages', '{"a":None}', 'unexpected_character@5'],
    ['undefined', '{"a":undefined}', 'unexpected_character@5'],
    ['capitals', '{"a":False}', 'unexpected_character@5'],
    ['run on', '{"a":nullx}', 'unexpected_character@9'],
  ]);
});

describe('keys', () => {
  check([
    ['twice with different values', '{"total":10,"total":99}', 'duplicate_key@12'],
    ['twice with equal values', '{"total":10,"total":10}', 'duplicate_key@12'],
    ['twice with one spelling escaped', '{"total":10,"tot\\u0061l":99}', 'duplicate_key@12'],
    ['twice in an inner object', '{"a":[{"b":1,"b":null}]}', 'duplicate_key@13'],
    ['the same in different objects', '{"a":{"a":{"b":1}},"b":2}', '{"a":{"a":{"b":1}},"b":2}'],
    ['__proto__', '{"__proto__":{"admin":true}}', 'forbidden_key@1'],
    ['__proto__ escaped', '{"a":{"__pr\\u006fto__":1}}', 'forbidden_key@6'],
    ['constructor', '{"constructor":{"prototype":{}}}', 'forbidden_key@1'],
    ['prototype', '{"a":1,"prototype":1}', 'forbidden_key@7'],
    [
      'names that every object inherits',
      '{"toString":1,"hasOwnProperty":2}',
      '{"toString":1,"hasOwnProperty":2}',
    ],
    ['empty', '{"":1}', '{"":1}'],
    ['without value', '{"a"}', 'unexpected_character@4'],
    ['without colon', '{"a" 1}', 'unexpected_character@5'],
    ['with two colons', '{"a"::1}', 'unexpected_character@5'],
    ['in single quotes', "{'a':1}", 'unexpected_character@1'],
    ['a number', '{1:1}', 'unexpected_character@1'],
    ['a bare word without colon', '{a }', 'unexpected_character@3'],
    ['a bare word of two', '{a b:1}', 'unexpected_character@3'],
    ['a bare word with a hyphen', '{a-b:1}', 'unexpected_character@2'],
    ['a bare word that is cut', '{a', 'incomplete@2'],
    ['cut behind a key', '{"a"', 'incomplete@4'],
    ['cut within a key', '{"a', 'incomplete@3'],
    ['cut before a key', '{', 'incomplete@1'],
    ['cut behind a comma', '{"a":1,', 'incomplete@7'],
    ['cut behind a value', '{"a":1', 'incomplete@6'],
  ]);

  it('reach no prototype: every object is without one', () => {
    const reading = readStrict('{"a":[{"b":{}}]}');
    const value = reading.kind === 'value' ? reading.value : {};
    const list = value['a'] as readonly Record<string, object>[];
    for (const object of [value, list[0], list[0]?.['b']]) expect(Object.getPrototypeOf(object)).toBe(null);
  });
});

describe('strings', () => {
  check([
    ['every escape', '{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"}', '{"a":"\\"\\\\/\\b\\f\\n\\r\\té"}'],
    ['hexadecimal digits of either case', '{"a":"\\u00eF\\u00Ef"}', '{"a":"ïï"}'],
    ['an escaped control character', '{"a":"\\u001f"}', '{"a":"\\u001f"}'],
    ['an interior byte order mark is kept', '{"a":"x\uFEFFy"}', '{"a":"x\uFEFFy"}'],
    [
      'a long run',
      `{"a":"${'x'.repeat(100)}\\n${'y'.repeat(100)}"}`,
      `{"a":"${'x'.repeat(100)}\\n${'y'.repeat(100)}"}`,
    ],
    ['characters beyond U+FFFF', '{"a":"😀","b":"\\ud83d\\ude00"}', '{"a":"😀","b":"😀"}'],
    ['one such character in two spellings', '{"a":"\ud83d\\ude00\\ud83d\ude00"}', '{"a":"😀😀"}'],
    ['a high surrogate alone', '{"a":"x\ud83dx"}', 'lone_surrogate@5'],
    ['a low surrogate alone', '{"a":"\ude00"}', 'lone_surrogate@5'],
    ['an escaped surrogate alone', '{"a":"\\ud83d"}', 'lone_surrogate@5'],
    ['an escaped pair in the wrong order', '{"a":"\\ude00\\ud83d"}', 'lone_surrogate@5'],
    ['a lone surrogate in a key', '{"\\ud83d":1}', 'lone_surrogate@1'],
    ['an escaped NUL', '{"a":"x\\u0000"}', 'nul_character@7'],
    ['a raw NUL', '{"a":"x\u0000"}', 'nul_character@7'],
    ['NUL in a key', '{"\\u0000":1}', 'nul_character@2'],
    ['an unknown escape', '{"a":"\\x41"}', 'bad_escape@6'],
    ['an escape of three digits', '{"a":"\\u12"}', 'bad_escape@6'],
    ['an escape with a sign', '{"a":"\\u-123"}', 'bad_escape@6'],
    ['an escape with another letter', '{"a":"\\u12g4"}', 'bad_escape@6'],
    ['single quotes', '{"a":\'x\'}', 'unexpected_character@5'],
    ['typographic quotes', '{"a":“x”}', 'unexpected_character@5'],
    ['an unescaped quote within', '{"a":"2" pipe"}', 'unexpected_character@9'],
    ['cut within', '{"a":"xy', 'incomplete@8'],
    ['cut behind a backslash', '{"a":"\\', 'incomplete@7'],
    ['cut within an escape', '{"a":"\\u12', 'incomplete@10'],
    ['cut behind half a character', '{"a":"\ud83d', 'incomplete@7'],
  ]);
});

describe('structure', () => {
  check([
    ['brackets that do not match', '{"a":[1}', 'unexpected_character@7'],
    ['a brace closed by a bracket', '{"a":1]', 'unexpected_character@6'],
    ['a comma too many', '{"a":[1,,2]}', 'unexpected_character@8'],
    ['a comma alone', '{"a":[,]}', 'unexpected_character@6'],
    ['a comma first', '{,"a":1}', 'unexpected_character@1'],
    ['a missing comma', '{"a":1 "b":2}', 'unexpected_character@7'],
    ['a line comment', '{"a":1 // one\n}', 'comment@7'],
    ['a block comment', '{/* one */"a":1}', 'comment@1'],
    ['a hash comment', '{"a":1, # one\n"b":2}', 'comment@8'],
    ['a byte order mark between tokens', '{"a":\uFEFF1}', 'unexpected_character@5'],
    ['a no-break space between tokens', '{"a":\u00a01}', 'unexpected_character@5'],
    ['dots that stand for more', '{"a":[1, ...]}', 'unexpected_character@9'],
    ['a list cut within', '{"a":[1, [', 'incomplete@10'],
    ['two trailing commas', '{"a":1,,}', 'unexpected_character@7'],
  ]);
});

describe('messages', () => {
  it('name a position and never quote the reply', () => {
    const secret = 'Jane-Doe-1985';
    for (const text of [
      `{"a":1,"a":"${secret}"}`,
      `{${secret}`,
      `{"a":"${secret}`,
      `${secret}{"a":1}`,
      `{"a":${secret}}`,
    ]) {
      for (const reading of [readPlain(text), readStrict(text)]) {
        expect(reading.kind).toBe('failure');
        expect(JSON.stringify(reading)).not.toContain('Jane');
      }
    }
    expect(readPlain('{"a":1,"a":2}')).toEqual({
      kind: 'failure',
      failureClass: 'parse',
      code: 'duplicate_key',
      at: 7,
      message: 'A key is repeated within one object. At character 7.',
      truncation: null,
    });
  });
});
