import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../src/reply/canonical.js';
import { type JsonValue, NumberText } from '../../src/reply/json-value.js';
import { numberText, spelledObject } from './arbitraries.js';
import { fuzz, fuzzTimeoutMs } from './fuzz.js';
import { printed, readStrict } from './told.js';

function ofNumber(text: string): string {
  return canonical(new NumberText(text));
}

/** A decimal as an integer times a power of ten, scaled so that two of them can be compared exactly. */
function scaled(text: string): bigint {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(power) - fraction.length + 2000);
}

/** Another spelling of the same amount: the point moved, or zeros added. */
function respelled(text: string, places: number): string {
  const [mantissa = '', power = '0'] = text.split(/e/i);
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.`}${'0'.repeat(places)}e${Number(power)}`.replace(
    '.e',
    'e',
  );
}

describe('the canonical text of a value', () => {
  it.each([
    ['25.0', '25'],
    ['25.00', '25'],
    ['2.5e1', '25'],
    ['1e2', '1e2'],
    ['100', '1e2'],
    ['1E+2', '1e2'],
    ['0.5', '5e-1'],
    ['-0.050', '-5e-2'],
    ['0', '0'],
    ['-0', '0'],
    ['0.000e7', '0'],
    ['2512292042121000001', '2512292042121000001'],
    ['1e9007199254740993', '1e9007199254740993'],
  ])('writes the number %s as %s', (text, expected) => {
    expect(ofNumber(text)).toBe(expected);
  });

  it('sorts keys, at every level', () => {
    expect(canonical({ b: [{ d: null, c: true }], a: false })).toBe('{"a":false,"b":[{"c":true,"d":null}]}');
    expect(canonical({})).toBe('{}');
    expect(canonical([])).toBe('[]');
  });

  it('keeps a number and the string of its digits apart', () => {
    expect(canonical(['25', new NumberText('25')])).toBe('["25",25]');
  });

  it('writes half a character so that no encoding can lose it', () => {
    expect(canonical(['\ud83d', '\ude00', '\ufffd', '😀'])).toBe('["\\ud83d","\\ude00","\ufffd","😀"]');
  });

  it('escapes what could be mistaken for structure', () => {
    expect(canonical({ 'a":1,"b': '"\\\n' })).toBe('{"a\\":1,\\"b":"\\"\\\\\\n"}');
  });

  it(
    'is equal for numbers exactly when the amounts are',
    () => {
      fuzz(
        'number pairs',
        0.05,
        fc.tuple(numberText, numberText, fc.nat({ max: 4 })),
        ([one, other, places]) => {
          expect(ofNumber(respelled(one, places))).toBe(ofNumber(one));
          expect(ofNumber(one) === ofNumber(other)).toBe(scaled(one) === scaled(other));
          expect(Number(ofNumber(one)) === Number(one)).toBe(true);
        },
      );
    },
    fuzzTimeoutMs,
  );

  it(
    'is JSON for the same value, whatever the order of keys, and its own canonical text',
    () => {
      fuzz('canonical values', 0.05, spelledObject, ({ value }) => {
        const text = canonical(value);
        expect(doubles(text)).toEqual(doubles(printed(value)));
        expect(canonical(backwards(value))).toBe(text);
        const again = readStrict(text);
        expect(again.kind === 'value' && canonical(again.value)).toBe(text);
      });
    },
    fuzzTimeoutMs,
  );

  it('takes 100,000 keys, 200,000 items and 400,000 digits', () => {
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, null]));
    expect(canonical(wide).length).toBeGreaterThan(1_000_000);
    expect(canonical(new Array<null>(200_000).fill(null)).length).toBe(1_000_001);
    expect(ofNumber(`${'7'.repeat(200_000)}.${'0'.repeat(200_000)}`).length).toBe(200_000);
  });
});

function backwards(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object' || value instanceof NumberText) return value;
  if (Array.isArray(value)) return value.map(backwards);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, backwards(member)]),
  );
}

/** The value of a JSON text in doubles, without -0, which is no amount. */
function doubles(text: string): unknown {
  return JSON.parse(text, (_key, item) => (item === 0 ? 0 : item));
}
