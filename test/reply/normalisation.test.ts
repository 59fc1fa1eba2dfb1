import { describe, expect, it } from 'vitest';
import { readReply } from '../../src/reply/read-reply.js';
import type { Normalisation } from '../../src/reply/reading.js';
import { printed, readPlain, readStrict, told } from './told.js';

type Case = readonly [
  name: string,
  text: string,
  value: string,
  tags: readonly (readonly [Normalisation['kind'], number])[],
];

const inside: readonly Case[] = [
  ['a trailing comma in an object', '{"a":1,}', '{"a":1}', [['trailing_comma', 6]]],
  ['a trailing comma in a list', '{"a":[1, \n]}', '{"a":[1]}', [['trailing_comma', 7]]],
  ['a bare key', '{total: 1}', '{"total":1}', [['bare_key', 1]]],
  ['a bare key with digits and signs', '{"a":{_$9:1}}', '{"a":{"_$9":1}}', [['bare_key', 6]]],
  ['a bare key that is also a word of JSON', '{null:null}', '{"null":null}', [['bare_key', 1]]],
  ['a raw newline in a string', '{"a":"x\ny"}', '{"a":"x\\ny"}', [['control_character', 7]]],
  [
    'a raw newline beside escapes',
    '{"a":"\\u20ac\n\\"\u0001"}',
    '{"a":"€\\n\\"\\u0001"}',
    [
      ['control_character', 12],
      ['control_character', 15],
    ],
  ],
  ['a raw tab in a key', '{"\t":1}', '{"\\t":1}', [['control_character', 2]]],
  [
    'a raw control character in a long string',
    `{"a":"${'x'.repeat(60)}\u001f"}`,
    `{"a":"${'x'.repeat(60)}\\u001f"}`,
    [['control_character', 66]],
  ],
  [
    'all at once, in the order of the text',
    '{a:"\r\n",b:[1,],}',
    '{"a":"\\r\\n","b":[1]}',
    [
      ['bare_key', 1],
      ['control_character', 4],
      ['control_character', 5],
      ['bare_key', 8],
      ['trailing_comma', 12],
      ['trailing_comma', 14],
    ],
  ],
];

const around: readonly Case[] = [
  ['a byte order mark first', '\uFEFF{"a":1}', '{"a":1}', [['byte_order_mark', 0]]],
  [
    'byte order marks on both sides',
    '\uFEFF \uFEFF{"a":1}\n\uFEFF',
    '{"a":1}',
    [
      ['byte_order_mark', 0],
      ['byte_order_mark', 2],
      ['byte_order_mark', 11],
    ],
  ],
];

describe('safe normalisations', () => {
  it.each([...inside, ...around])(
    '%s is read in plain mode and tagged with its place',
    (_name, text, value, tags) => {
      expect(readPlain(text)).toMatchObject({
        kind: 'value',
        normalisations: tags.map(([kind, at]) => ({ kind, at })),
      });
      expect(told(readPlain(text))).toBe(value);
    },
  );

  it.each(inside)('%s is refused in constrained and tool mode', (_name, text, _value, tags) => {
    for (const mode of ['constrained', 'tool'] as const) {
      const reading = readReply({ stopReason: 'end_turn', text, mode });
      expect(told(reading)).toBe(tags[0]?.join('@'));
    }
  });

  it.each(inside)('%s is refused after a stop that is not complete', (_name, text) => {
    for (const stopReason of ['max_tokens', 'model_context_window_exceeded', 'refusal', 'pause_turn']) {
      expect(readReply({ stopReason, text, mode: 'plain' }).kind).toBe('failure');
    }
  });

  it.each(around)('%s is read in constrained and tool mode too, and tagged', (_name, text, value, tags) => {
    for (const mode of ['constrained', 'tool'] as const) {
      const reading = readReply({ stopReason: 'end_turn', text, mode });
      expect(told(reading)).toBe(value);
      expect(reading).toMatchObject({ normalisations: tags.map(([kind, at]) => ({ kind, at })) });
    }
  });

  it('the same object damaged and whole is one object, and the damage stays tagged', () => {
    const reading = readPlain('{"a":1,} {"a":1}');
    expect(reading).toMatchObject({ normalisations: [{ kind: 'trailing_comma', at: 6 }] });
    expect(told(reading)).toBe('{"a":1}');
  });

  it('a bare key may be neither repeated nor forbidden', () => {
    expect(told(readPlain('{"a":1,a:2}'))).toBe('duplicate_key@7');
    expect(told(readPlain('{__proto__:{}}'))).toBe('forbidden_key@1');
  });
});

describe('constrained and tool mode', () => {
  const cases = [
    ['prose before', 'Sure: {"a":1}', 'text_outside_value@0'],
    ['prose behind', '{"a":1} Done.', 'text_outside_value@8'],
    ['a fence', '```json\n{"a":1}\n```', 'text_outside_value@0'],
    ['thinking', '<think></think>{"a":1}', 'text_outside_value@0'],
    ['the same value twice', '{"a":1}{"a":1}', 'text_outside_value@7'],
    ['a list', ' [{"a":1}]', 'not_an_object@1'],
    ['a scalar', '"a"', 'text_outside_value@0'],
    ['one brace too many', '{"a":1}}', 'text_outside_value@7'],
    ['other whitespace', '\u00a0{"a":1}', 'text_outside_value@0'],
  ] as const;

  it.each(cases)('allow nothing around the object: %s', (_name, text, expected) => {
    expect(told(readStrict(text))).toBe(expected);
  });

  it('allow whitespace around it', () => {
    const reading = readStrict(' \r\n\t{"a":1} \r\n\t');
    expect(reading.kind === 'value' && printed(reading.value)).toBe('{"a":1}');
  });
});
