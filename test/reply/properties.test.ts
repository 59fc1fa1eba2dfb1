import fc from 'fast-check';
import { isLosslessNumber, parse as losslessParse } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../src/reply/canonical.js';
import { type JsonObject, NumberText } from '../../src/reply/json-value.js';
import { readReply } from '../../src/reply/read-reply.js';
import type { Normalisation, Reading, ReadingCode } from '../../src/reply/reading.js';
import { escaped, lead, type Spelled, spelledObject, spelledString, tail } from './arbitraries.js';
import { fuzz, fuzzTimeoutMs } from './fuzz.js';
import { completeStops, modes, printed, readPlain, readStrict, rounded, told } from './told.js';

/** What JSON allows and we refuse on purpose. */
const refusals: readonly ReadingCode[] = [
  'duplicate_key',
  'forbidden_key',
  'too_deep',
  'nul_character',
  'lone_surrogate',
  'number_out_of_range',
];

/** The text with its tagged changes carried out, which is then strict JSON or the tags are a lie. */
function mended(text: string, normalisations: readonly Normalisation[]): string {
  let result = text;
  for (const { kind, at } of normalisations.toReversed()) {
    const [before, here, after] = [result.slice(0, at), result.charAt(at), result.slice(at + 1)];
    if (kind === 'bare_key') result = before + result.slice(at).replace(/^[\w$]+/, '"$&"');
    else if (kind === 'control_character') result = before + JSON.stringify(here).slice(1, -1) + after;
    else result = before + after;
  }
  return result;
}

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** One character removed, added, replaced or swapped with its neighbour. */
const damage = fc.record({
  how: fc.constantFrom('remove', 'add', 'replace', 'swap'),
  where: fc.nat(),
  character: fc.oneof(
    fc.constantFrom(...'{}[]",:\\/ \n\t0159-+.eEtfnul_ax$#`<>\'\u0000\u0007\uFEFF', '\ud83d', '\ude00'),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
});
type Damage = typeof damage extends fc.Arbitrary<infer Kind> ? Kind : never;

function damaged(text: string, { how, where, character }: Damage): string {
  // Adding starts behind the opening brace: in front of it would be outside the value.
  const at = how === 'add' ? 1 + (where % (text.length - 1)) : where % text.length;
  const [before, here, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)];
  if (how === 'remove') return before + after;
  if (how === 'add') return before + character + here + after;
  if (how === 'replace') return before + character + after;
  return before + after.charAt(0) + here + after.slice(1);
}

/** A reply in every mode and with every stop reason that calls it complete. */
function everyReading(text: string): Reading[] {
  return modes.flatMap((mode) => completeStops.map((stopReason) => readReply({ stopReason, text, mode })));
}

describe('reading generated replies', () => {
  it(
    'gives back every generated object to the digit, in every mode, with nothing normalised',
    () => {
      fuzz('round trips', 0.1, spelledObject, ({ value, text }) => {
        for (const reading of everyReading(`\n ${text}\t`)) {
          expect(told(reading)).toBe(printed(value));
          expect(reading).toMatchObject({ normalisations: [] });
        }
        const oracle = losslessParse(text, (_key, item) =>
          isLosslessNumber(item) ? new NumberText(item.toString()) : item,
        );
        expect(printed(oracle as JsonObject)).toBe(printed(value));
      });
    },
    fuzzTimeoutMs,
  );

  it(
    'finds the object among prose, fences, thinking, byte order marks and stray brackets',
    () => {
      fuzz('wrapped', 0.1, fc.tuple(lead, spelledObject, tail), ([before, { value, text }, after]) => {
        const reading = readPlain(before + text + after);
        expect(told(reading)).toBe(printed(value));
        if (reading.kind !== 'value') return;
        expect(reading.normalisations.length).toBe((before + after).split('\uFEFF').length - 1);
        for (const { kind, at } of reading.normalisations) {
          expect([kind, (before + text + after)[at]]).toEqual(['byte_order_mark', '\uFEFF']);
        }
      });
    },
    fuzzTimeoutMs,
  );

  it(
    'never accepts a prefix that ends before the last byte of the value',
    () => {
      let prefixes = 0;
      fuzz('cut replies', 0.2, fc.tuple(lead, spelledObject, tail), ([before, { text }, after]) => {
        const whole = before + text + after;
        const end = before.length + text.length;
        const accepted: string[] = [];
        for (let cut = 0; cut < end; cut += 1) {
          const prefix = whole.slice(0, cut);
          if (readPlain(prefix).kind === 'value' || readStrict(prefix).kind === 'value')
            accepted.push(prefix);
        }
        for (let cut = 0; cut < text.length; cut += 1) {
          const prefix = text.slice(0, cut);
          if (readStrict(prefix).kind === 'value') accepted.push(prefix);
        }
        expect(accepted).toEqual([]);
        prefixes += end + text.length;
      });
      console.log(`    that is ${prefixes} prefixes, none accepted`);
    },
    fuzzTimeoutMs,
  );

  it(
    'never accepts a value with one damaged character unless JSON does, or tags explain the whole difference',
    () => {
      let accepted = 0;
      fuzz('damaged', 0.2, fc.tuple(spelledObject, damage), ([{ text }, how]) => {
        const broken = damaged(text, how);
        const plain = readPlain(broken);
        if (plain.kind === 'value') {
          expect(parsed(mended(broken, plain.normalisations))).toEqual({ value: rounded(plain.value) });
          if (parsed(broken) === null) {
            expect(plain.normalisations.length).toBeGreaterThan(0);
            accepted += 1;
          }
        }
        const strict = readStrict(broken);
        if (strict.kind === 'value') {
          const marks = strict.normalisations.map(({ kind }) => kind);
          expect(marks.every((kind) => kind === 'byte_order_mark')).toBe(true);
          expect(parsed(mended(broken, strict.normalisations))).toEqual({ value: rounded(strict.value) });
        }
      });
      console.log(`    of which ${accepted} were accepted with tags`);
    },
    fuzzTimeoutMs,
  );

  it(
    'never lets damage inside the value hide behind the text around it',
    () => {
      fuzz('damaged and wrapped', 0.05, fc.tuple(lead, spelledObject, tail, damage), (example) => {
        const [before, { text }, after, how] = example;
        const broken = damaged(text, how);
        const reading = readPlain(before + broken + after);
        if (reading.kind === 'failure') return;
        const inside = ({ at }: Normalisation) => at >= before.length && at < before.length + broken.length;
        const tags = reading.normalisations
          .filter(inside)
          .map((tag) => ({ ...tag, at: tag.at - before.length }));
        expect(parsed(mended(broken, tags))).toEqual({ value: rounded(reading.value) });
      });
    },
    fuzzTimeoutMs,
  );

  it(
    'agrees with JSON itself on arbitrary text made of JSON fragments',
    () => {
      const fragment = fc.constantFrom(
        ...['{', '}', '{"a":', '[', ']', ',', ':', '"a"', '"b"', '"', '\\', 'u00', '1', '0', '-', '.', 'e'],
        ...['true', 'null', 'NaN', 'a', ' ', '\n', '//', '`', '<think>', '</think>', '\uFEFF', '\u0000'],
      );
      const text = fc
        .tuple(fc.array(fragment, { maxLength: 12 }), fc.boolean())
        .map(([fragments, opened]) => (opened ? `{"a":${fragments.join('')}}` : fragments.join('')));
      fuzz('fragments', 0.05, text, (soup) => {
        const strict = readStrict(soup);
        const json = parsed(soup.trim());
        if (strict.kind === 'value') {
          expect(parsed(mended(soup, strict.normalisations))).toEqual({ value: rounded(strict.value) });
          expect(told(readPlain(soup))).toBe(told(strict));
        } else if (json !== null && json.value instanceof Object && !Array.isArray(json.value)) {
          expect(refusals).toContain(strict.code);
        }
        for (const reading of everyReading(soup)) expect(reading.kind).toMatch(/^(value|failure)$/);
      });
    },
    fuzzTimeoutMs,
  );

  it(
    'never takes an object out of a list or out of a member, whole or cut',
    () => {
      const row = fc.oneof(spelledObject, spelledString);
      const list = fc.tuple(fc.array(row, { maxLength: 3 }), spelledObject, fc.array(row, { maxLength: 1 }));
      fuzz('lists', 0.05, fc.tuple(lead, list), ([before, [first, one, rest]]) => {
        const items = [...first, one, ...rest].map(({ text }) => text);
        const accepted: string[] = [];
        for (const text of [`[${items.join(',')}]`, `[ ${items.join(' , ')} ]`, `"rows" : ${one.text}`]) {
          for (let end = 1; end <= text.length; end += 1) {
            const reply = before + text.slice(0, end);
            if (readPlain(reply).kind === 'value') accepted.push(reply);
          }
        }
        expect(accepted).toEqual([]);
      });
    },
    fuzzTimeoutMs,
  );

  it(
    'takes a value twice as one, and two different ones as ambiguous',
    () => {
      const pair = fc.tuple(
        spelledObject,
        spelledObject,
        fc.constantFrom('', ' ', '\n\n', ' or\n', '```\n```json'),
      );
      fuzz('pairs', 0.05, pair, ([one, other, between]: [Spelled, Spelled, string]) => {
        const same = canonical(one.value) === canonical(other.value);
        expect(told(readPlain(one.text + between + other.text))).toBe(
          same ? printed(one.value) : `ambiguous@${one.text.length + between.length}`,
        );
        expect(told(readPlain(one.text + between + canonical(one.value)))).toBe(printed(one.value));
        for (const text of [one.text + one.text, `${one.text}\n${other.text}`]) {
          expect(told(readStrict(text))).toMatch(/^text_outside_value@/);
        }
      });
    },
    fuzzTimeoutMs,
  );

  it(
    'refuses a repeated key and a key that could reach a prototype, however they are spelled',
    () => {
      const forbidden = fc.constantFrom('__proto__', 'constructor', 'prototype');
      const nesting = fc.constantFrom<readonly [string, string]>(
        ['', ''],
        ['{"outer":[1,', ']}'],
        ['{"outer":', '}'],
      );
      fuzz(
        'keys',
        0.05,
        fc.tuple(spelledObject, forbidden, nesting),
        ([{ value, text }, name, [before, after]]) => {
          const code = (member: string) => {
            const reading = readPlain(
              `${before}{${member}${text === '{}' ? '' : ','}${text.slice(1)}${after}`,
            );
            return reading.kind === 'failure' ? reading.code : reading.kind;
          };
          for (const key of Object.keys(value as JsonObject)) {
            expect(code(`"${escaped(key)}":0`)).toBe('duplicate_key');
            expect(code(`${JSON.stringify(key)}:null`)).toBe('duplicate_key');
          }
          expect(code(`"${escaped(name)}":0`)).toBe('forbidden_key');
          expect(code(`"${name}":{}`)).toBe('forbidden_key');
        },
      );
    },
    fuzzTimeoutMs,
  );

  it(
    'refuses NUL and halves of characters anywhere in a string, in every spelling',
    () => {
      const halves = [
        '\\ud83d',
        '\\uDBFF',
        '\\ude00',
        '\\uDC00',
        '\ud83d',
        '\ude00',
        '\\ude00\\ud83d',
        '\\ud83d\\ud83d\\ude00',
      ];
      const unstorable = fc.constantFrom(
        ...halves.map((text) => ({ text, code: 'lone_surrogate' })),
        ...['\\u0000', '\u0000'].map((text) => ({ text, code: 'nul_character' })),
      );
      fuzz('unstorable', 0.05, fc.tuple(spelledString, unstorable, spelledString), ([before, bad, after]) => {
        const text = before.text.slice(0, -1) + bad.text + after.text.slice(1);
        for (const reply of [`{"a":${text}}`, `{${text}:1}`]) {
          for (const reading of everyReading(reply)) expect(reading).toMatchObject({ code: bad.code });
        }
      });
    },
    fuzzTimeoutMs,
  );
});
