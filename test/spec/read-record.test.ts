import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { type JsonValue, NumberText } from '../../src/reply/json-value.js';
import { readRecord } from '../../src/spec/read-record.js';
import { aClaim } from '../specs/claims.js';

const good = aClaim({ amounts: ['1.10', '2.20'], total: '3.30' });
const reading = (value: JsonValue) => readRecord(claim, value);
const problems = (value: JsonValue) => {
  const read = reading(value);
  if (read.kind === 'record') throw new Error('expected problems');
  return read.problems.map(({ rule, pointer }) => `${rule} ${pointer}`);
};

describe('reading a record', () => {
  it('takes a whole value as it is, to the digit', () => {
    expect(reading(good)).toEqual({ kind: 'record', record: good, candidate: good });
  });

  it('keeps the digits of amounts sent as numbers', () => {
    const number = new NumberText('12345678901234567890.125');
    const read = reading({
      ...good,
      total_claimed: number,
      claim_number: new NumberText('2512292042121000001'),
    });
    expect(read).toMatchObject({
      kind: 'record',
      record: { total_claimed: '12345678901234567890.125', claim_number: '2512292042121000001' },
    });
  });

  it.each([[''], [' '], [null]])(
    'says of %j that nothing was read, and not that it is misspelt',
    (currency) => {
      const read = readRecord(claim, { ...good, currency });
      expect(read).toMatchObject({ problems: [{ message: 'Currency is empty: nothing like it was read.' }] });
    },
  );

  it.each<[string, JsonValue, readonly string[]]>([
    ['null', null, ['schema/type ']],
    ['a list', [], ['schema/type ']],
    ['a number', new NumberText('1'), ['schema/format ']],
    ['a missing field', withoutTotal(), ['schema/missing /total_claimed']],
    ['an unknown field', { ...good, total: '1' }, ['schema/unknown-field ']],
    ['separators in an amount', { ...good, total_claimed: '1,204.50' }, ['schema/format /total_claimed']],
    ['an exponent', { ...good, total_claimed: new NumberText('1e3') }, ['schema/format /total_claimed']],
    ['a day no calendar has', { ...good, loss_date: '2024-02-30' }, ['schema/format /loss_date']],
    ['a null where "not_printed" is honest', { ...good, deductible: null }, ['schema/type /deductible']],
    ['an empty list', { ...good, line_items: [] }, ['schema/empty-list /line_items']],
    ['a null list', { ...good, line_items: null }, ['schema/type /line_items']],
    ['an unknown currency', { ...good, currency: 'eur' }, ['schema/format /currency']],
    ['a text with NUL', { ...good, claimant: 'a\0b' }, ['schema/format /claimant']],
    ['a lone surrogate', { ...good, claimant: 'a\ud800' }, ['schema/format /claimant']],
    [
      'a bad amount in a row',
      { ...good, line_items: [{ description: 'x', amount: 'lots' }] },
      ['schema/format /line_items/0/amount'],
    ],
  ])('names what is wrong with %s', (_what, value, expected) => {
    expect(problems(value)).toEqual(expected);
  });
});

describe('reading any value at all', () => {
  const number = fc.bigInt().map((digits) => new NumberText(digits.toString()));
  const key = fc.oneof(
    fc.constantFrom(...Object.keys(good), 'amount', 'description', '__proto__'),
    fc.string(),
  );
  const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<JsonValue>(null, true, 'not_printed', '1.00'),
      fc.string({ unit: 'binary' }),
      number,
      fc.array(tie('value')),
      fc.dictionary(key, tie('value')),
    ),
  }));
  const damaged = fc
    .tuple(fc.constantFrom(...Object.keys(good)), anyValue)
    .map(([name, value]) => ({ ...good, [name]: value }));

  it('never throws, and names fields of the spec only', () => {
    fc.assert(
      fc.property(fc.oneof(anyValue, damaged), (value) => {
        const read = reading(value);
        if (read.kind === 'record') return;
        expect(read.problems.length).toBeGreaterThan(0);
        for (const { rule, pointer } of read.problems) {
          expect(rule).toMatch(/^schema\/(missing|type|unknown-field|empty-list|format)$/);
          expect(pointer).toMatch(/^(\/[a-z_]+(\/\d+(\/(amount|description))?)?)?$/);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the whole value as plain JSON, numbers as their digits', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const asText = JSON.stringify(value, (_key, inner: unknown) =>
          inner instanceof NumberText ? inner.text : inner,
        );
        expect(JSON.stringify(reading(value).candidate)).toBe(asText);
      }),
    );
  });

  it('lists at most a hundred problems', () => {
    const line_items = Array.from({ length: 5000 }, () => ({ description: '', amount: 'x' }));
    expect(problems({ ...good, line_items })).toHaveLength(100);
  });

  it('shows what was found without showing whole objects', () => {
    const read = reading({ ...good, claimant: { a: [] }, policy_number: ['x', 'y'], loss_date: true });
    if (read.kind === 'record') throw new Error('expected problems');
    expect(read.problems.map(({ found }) => found)).toEqual(['a list of 2', 'an object', 'true']);
    expect(read.problems[0]).toMatchObject({ message: 'Policy number has the wrong type.' });
  });
});

function withoutTotal(): JsonValue {
  const { total_claimed: _, ...rest } = good;
  return rest;
}
