import fc from 'fast-check';
import { type JsonValue, NumberText } from '../../src/reply/json-value.js';

/** A value and one of its spellings. The value is built beside the text, not by any parser. */
export interface Spelled<Value = JsonValue> {
  readonly value: Value;
  readonly text: string;
}

const blank = fc.stringMatching(/^[ \t\r\n]{0,2}$/);

export const numberText = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9]\d{0,3})(\.\d{1,3})?$/),
  fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/),
);

const number = numberText.map((text): Spelled => ({ value: new NumberText(text), text }));

const literal = fc.constantFrom<Spelled>(
  { value: true, text: 'true' },
  { value: false, text: 'false' },
  { value: null, text: 'null' },
);

function hex(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** Text as the escapes of its UTF-16 units. */
export function escaped(character: string): string {
  return [...Array(character.length).keys()].map((index) => hex(character.charCodeAt(index))).join('');
}

/** One character of a string in one of its spellings, with a taste for what confuses a scanner. */
const character: fc.Arbitrary<Spelled<string>> = fc.oneof(
  fc.stringMatching(/^[a-z0-9 ]$/).map((text) => ({ value: text, text })),
  fc.constantFrom(..."{}[]:,'`<>/#-.+()€ä日\u2028\uFEFF\u007f", '😀').map((text) => ({ value: text, text })),
  fc
    .constantFrom('<think>', '</think>', '```json', '{"a":1}', ',}', 'NaN')
    .map((text) => ({ value: text, text: text.replaceAll('"', '\\"') })),
  // Long enough that the reader takes its other way through a run of plain characters.
  fc.nat({ max: 40 }).map((length) => ({ value: 'run '.repeat(length), text: 'run '.repeat(length) })),
  fc.constantFrom('\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t').map((text) => ({
    value: JSON.parse(`"${text}"`) as string,
    text,
  })),
  fc
    .constantFrom('\u0001', '"', '\\', 'é', '€', '😀', '{', '}')
    .map((value) => ({ value, text: escaped(value) })),
  fc.constant({ value: '😀', text: '\ud83d\\ude00' }),
  fc.constant({ value: '😀', text: '\\uD83D\ude00' }),
);

export const spelledString: fc.Arbitrary<Spelled<string>> = fc
  .oneof(
    { weight: 9, arbitrary: fc.array(character, { maxLength: 5 }) },
    { weight: 1, arbitrary: fc.array(character, { maxLength: 60 }) },
  )
  .map((characters) => ({
    value: characters.map((each) => each.value).join(''),
    text: `"${characters.map((each) => each.text).join('')}"`,
  }));

const key = fc.oneof(
  fc.constantFrom('a', 'b', 'total', 'items', '1', '').map((value) => ({ value, text: `"${value}"` })),
  spelledString,
);

function listed(items: readonly Spelled[], blanks: readonly string[]): Spelled {
  const text = items.map((item, index) => (blanks[index] ?? '') + item.text + (blanks[index + 1] ?? ''));
  return { value: items.map((item) => item.value), text: `[${text.join(',')}]` };
}

function keyed(
  members: readonly (readonly [Spelled<string>, Spelled])[],
  blanks: readonly string[],
): Spelled {
  const value: Record<string, JsonValue> = Object.create(null);
  const parts = members.map(([name, member], index) => {
    value[name.value] = member.value;
    const gap = (offset: number) => blanks[(index + offset) % Math.max(1, blanks.length)] ?? '';
    return `${gap(0)}${name.text}${gap(1)}:${gap(2)}${member.text}${gap(3)}`;
  });
  return { value, text: `{${parts.join(',')}}` };
}

const { object } = fc.letrec<{ any: Spelled; object: Spelled }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    number,
    spelledString,
    literal,
    fc
      .tuple(fc.array(tie('any'), { maxLength: 4 }), fc.array(blank, { maxLength: 3 }))
      .map(([items, blanks]) => listed(items, blanks)),
    tie('object'),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(key, tie('any')), { maxLength: 5, selector: ([name]) => name.value }),
      fc.array(blank, { maxLength: 4 }),
    )
    .map(([members, blanks]) => keyed(members, blanks)),
}));

/** An object in strict JSON, in every spelling that JSON allows. */
export const spelledObject: fc.Arbitrary<Spelled> = object;

/** What may stand before the object in a plain reply, ending so that nothing touches it. */
export const lead = fc
  .array(
    fc.constantFrom(
      'Sure, here it is',
      'starting with "I, ["',
      'a list ] of [ brackets (',
      '{name} [1] [note]',
      '5 < 6 > 4, ',
      '<think>{"draft":1}</think>',
      '<THINKING>}{ <think>[</think> "</THINKING>',
      '\uFEFF',
      '\\ " \' `',
      '[see below]',
    ),
    { maxLength: 4 },
  )
  .chain((parts) =>
    fc
      .constantFrom('', '.\n', '```json\n', '``````\r\n', '```json', '~~~', ':\t', '**', '<json>', '\uFEFF')
      .map((end) => (parts.length === 0 ? end : `${parts.join(' ')} .\n${end}`)),
  );

/** What may stand behind it. */
export const tail = fc
  .constantFrom(
    '',
    '\n',
    '\n```',
    '```',
    '`````\n',
    ' That is all, I hope.',
    '**',
    '</json>',
    '\uFEFF',
    '\n~~~',
  )
  .chain((start) =>
    fc
      .constantFrom(
        '',
        '\nNotes: {name}, see [1].',
        ' <think>{"later":2}</think>',
        '\n"unbalanced',
        '\n5 < 6',
      )
      .map((end) => start + end),
  );
