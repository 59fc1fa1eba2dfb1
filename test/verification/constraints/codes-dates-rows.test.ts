import { describe, expect, it } from 'vitest';
import {
  allowedCodes,
  dateOrder,
  signByDocumentType,
} from '../../../src/verification/constraints/codes-and-dates.js';
import { printedRowCount } from '../../../src/verification/constraints/row-count.js';

const context = { text: null, previous: null };

describe('allowed codes', () => {
  const rule = allowedCodes({ id: 'type-known', codes: '/rows/*/type', allowed: ['A', 'B'] });

  it('are compared letter case included', () => {
    expect(rule.check({ rows: [{ type: 'A' }, { type: 'B' }] }, context)).toEqual([]);
    expect(rule.check({ rows: [{ type: 'A' }, { type: 'b' }, { type: 1 }] }, context)).toMatchObject([
      { pointer: '/rows/1/type', expected: 'A, B', found: 'b' },
      { pointer: '/rows/2/type', found: '1' },
    ]);
  });

  it('are listed while the list is short', () => {
    const allowed = Array.from({ length: 13 }, (_, index) => `C${index}`);
    const long = allowedCodes({ id: 'long', version: 2, says: 'Known', codes: '/code', allowed });
    expect(long).toMatchObject({ version: 2, says: 'Known' });
    expect(long.check({ code: 'X' }, context)).toMatchObject([{ expected: 'a code of the list' }]);
    expect(rule).toMatchObject({ version: 1, says: '/rows/*/type is one of: A, B' });
  });
});

describe('date order', () => {
  const rule = dateOrder({ id: 'due-after-issue', earlier: '/issued', later: '/due' });
  const check = (issued: unknown, due: unknown) => rule.check({ issued, due }, context);

  it('allows the same day and later days', () => {
    expect(check('2024-02-29', '2024-02-29')).toEqual([]);
    expect(check('2023-12-31', '2024-01-01')).toEqual([]);
  });

  it('is broken by an earlier day, named at the later field', () => {
    expect(check('2024-03-01', '2024-02-29')).toEqual([
      {
        pointer: '/due',
        message: 'This date lies before /issued.',
        expected: '2024-03-01 or later',
        found: '2024-02-29',
      },
    ]);
  });

  it('has nothing to say where a date is not there', () => {
    for (const [issued, due] of [
      ['2024-03-01', 'not_printed'],
      ['blank', '2024-03-01'],
      [undefined, '2024-03-01'],
    ]) {
      expect(check(issued, due)).toEqual([]);
    }
    expect(dateOrder({ id: 'x', version: 2, earlier: '/a', later: '/b' }).version).toBe(2);
  });
});

describe('sign by document type', () => {
  const rule = signByDocumentType({
    type: '/type',
    negative: ['credit_note'],
    amounts: ['/total', '/rows/*/amount'],
  });
  const check = (type: unknown, total: string) => rule.check({ type, total, rows: [] }, context);

  it('asks credit notes for amounts of zero or less, and others for zero or more', () => {
    expect(check('credit_note', '-5.00')).toEqual([]);
    expect(check('credit_note', '0')).toEqual([]);
    expect(check('invoice', '5.00')).toEqual([]);
    expect(check('invoice', '0.00')).toEqual([]);
    expect(check('credit_note', '5.00')).toMatchObject([{ pointer: '/total', expected: '-5', found: '5' }]);
    expect(check('invoice', '-5.00')).toMatchObject([{ expected: '5', found: '-5' }]);
  });

  it('has nothing to say without a type or a number', () => {
    expect(check(undefined, '-5.00')).toEqual([]);
    expect(check('invoice', 'blank')).toEqual([]);
    const named = signByDocumentType({ id: 'x', version: 2, type: '/t', negative: [], amounts: [] });
    expect(named).toMatchObject({ id: 'x', version: 2 });
    expect(rule).toMatchObject({ id: 'sign-by-document-type', version: 1 });
  });
});

describe('rows against the printed count', () => {
  const rule = printedRowCount({ items: '/rows', count: '/count' });
  const check = (rows: unknown, count: unknown) => rule.check({ rows, count }, context);

  it('case 2: forty lines printed and three returned is broken', () => {
    expect(check([1, 2, 3], '40')).toMatchObject([
      { pointer: '/rows', expected: '40 rows', found: '3 rows' },
    ]);
    expect(check(new Array(40).fill(1), '40')).toEqual([]);
    expect(check([1, 2, 3], '2')).toHaveLength(1);
  });

  it('has only a list to ask for where the document prints no count', () => {
    for (const count of ['not_printed', 'blank', undefined]) {
      expect(check([1], count)).toEqual([]);
      for (const rows of [[], null, undefined, 'rows']) {
        expect(check(rows, count)).toMatchObject([{ expected: 'at least 1 row', found: '0 rows' }]);
      }
    }
    expect(check([], '0')).toHaveLength(1);
  });

  it('can be named and versioned', () => {
    expect(printedRowCount({ id: 'x', version: 2, items: '/a', count: '/b' })).toMatchObject({
      id: 'x',
      version: 2,
    });
    expect(rule).toMatchObject({ id: 'line-count-as-printed', version: 1 });
  });
});
