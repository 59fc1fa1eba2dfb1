import { describe, expect, it } from 'vitest';
import {
  type PrintedInDocument,
  printedInDocument,
} from '../../../src/verification/constraints/printed-in-document.js';
import { verify } from '../../../src/verification/verify.js';

function verdictOf(options: Partial<PrintedInDocument>, record: unknown, ...pages: string[]) {
  const rule = printedInDocument({ field: '/value', kind: 'money', ...options });
  return verify(record, [rule], { text: pages.length === 0 ? null : { pages }, previous: null });
}

const problem = (verdict: ReturnType<typeof verdictOf>) => {
  if (verdict.kind !== 'broken') throw new Error('expected a broken rule');
  const [first] = verdict.problems;
  return { message: first?.message, expected: first?.expected, found: first?.found };
};

describe('a value that must be printed', () => {
  it('leaves evidence: page, characters, and the print itself', () => {
    expect(verdictOf({}, { value: '1204.50' }, 'Invoice', 'Total  EUR 1.204,50')).toEqual({
      kind: 'holds',
      evidence: [{ pointer: '/value', page: 2, start: 11, end: 19, printed: '1.204,50' }],
      ungrounded: [],
    });
  });

  it('is a broken rule when it is printed nowhere', () => {
    expect(problem(verdictOf({}, { value: '1204.50' }, 'Total 1.204,51'))).toEqual({
      message: 'This value is not printed in the document.',
      expected: null,
      found: '1204.50',
    });
  });

  it('is ungrounded without a text layer, also when that has nothing in it', () => {
    expect(verdictOf({}, { value: '1204.50' })).toEqual({
      kind: 'holds',
      evidence: [],
      ungrounded: ['/value'],
    });
    expect(verdictOf({}, { value: '1204.50' }, ' \n')).toMatchObject({ ungrounded: ['/value'] });
    expect(verdictOf({}, { value: 'not_printed' })).toMatchObject({ kind: 'holds', ungrounded: [] });
  });

  it('is looked for row by row, each row after the one before', () => {
    const page = 'Start 5.00\nfirst  5.00\nsecond  7.00\nthird  5.00';
    const record = { rows: [{ v: '7.00' }, { v: '5.00' }, { v: '5.00' }, { v: '9.00' }] };
    const verdict = verdictOf({ field: '/rows/*/v' }, record, page);
    expect(verdict).toMatchObject({
      problems: [{ rule: 'printed/rows/v', pointer: '/rows/3/v' }],
      evidence: [{ start: 31 }, { start: 43 }, { start: 6 }],
    });
  });

  it('goes on to the next page for the next row', () => {
    const record = { rows: [{ v: '7.00' }, { v: '5.00' }, { v: '6.00' }] };
    const pages = ['a  5.00\nlong line of words  6.00\nb  7.00', 'c  5.00\nd  6.00'];
    expect(verdictOf({ field: '/rows/*/v' }, record, ...pages)).toMatchObject({
      evidence: [{ page: 1 }, { page: 2, start: 3 }, { page: 2, start: 11 }],
    });
  });

  it('reads amounts as the currency of the record has them', () => {
    const options = { currency: '/currency' };
    expect(verdictOf(options, { value: '1.204', currency: 'BHD' }, '1,204').kind).toBe('holds');
    expect(verdictOf(options, { value: '1.204', currency: 'EUR' }, '1,204').kind).toBe('broken');
  });

  it('leaves what is no text to the schema', () => {
    expect(verdictOf({}, { value: 5 }, 'x')).toEqual({ kind: 'holds', evidence: [], ungrounded: [] });
    expect(verdictOf({}, {}, 'x').kind).toBe('holds');
  });

  it('keeps the other reading of a date in doubt as evidence (case 29)', () => {
    const verdict = verdictOf({ kind: 'date' }, { value: '1985-03-04' }, 'Born 03/04/1985');
    expect(verdict).toMatchObject({
      kind: 'holds',
      evidence: [{ printed: '03/04/1985', otherReadings: ['1985-04-03'] }],
    });
  });

  it('names and versions itself', () => {
    const rule = printedInDocument({ field: '/rows/*/amount', kind: 'money' });
    expect(rule).toMatchObject({
      id: 'printed/rows/amount',
      version: 1,
      says: 'rows/*/amount is printed in the document',
    });
    const named = printedInDocument({ id: 'x', version: 2, field: '/a', kind: 'text', atLabel: true });
    expect(named).toMatchObject({ id: 'x', version: 2, says: 'a is printed in the document, at its label' });
    expect(named.check({ a: 'here' }, { text: { pages: ['here'] }, previous: null })).toHaveLength(1);
  });
});

describe('a value with labels', () => {
  const total = { labels: ['Total claimed', 'Amount claimed'] };

  it('has its evidence at the label when it is printed elsewhere too', () => {
    const page = 'Item  500.00\nTotal claimed:  500.00';
    expect(verdictOf(total, { value: '500.00' }, page)).toMatchObject({ evidence: [{ start: 29 }] });
  });

  it('is broken when the label has another value beside it', () => {
    const page = 'Item  500.00\nTotal claimed:  700.00';
    expect(problem(verdictOf(total, { value: '500.00' }, page))).toEqual({
      message: 'This value is not printed beside its label but elsewhere.',
      expected: '700.00',
      found: '500.00',
    });
    expect(problem(verdictOf(total, { value: '1.00' }, page))).toEqual({
      message: 'This value is not printed in the document.',
      expected: '700.00',
      found: '1.00',
    });
  });

  it('may stand elsewhere when no label is printed, or none with a value beside it', () => {
    expect(verdictOf(total, { value: '500.00' }, 'Sum  500.00').kind).toBe('holds');
    expect(verdictOf(total, { value: '500.00' }, 'Amount claimed\nfire  500.00').kind).toBe('holds');
    expect(verdictOf(total, { value: '500.00' }, 'Total claimed: see page 2\nSum  500.00').kind).toBe(
      'holds',
    );
  });

  it('does not take the number of something else for the value', () => {
    const tax = { labels: ['VAT', 'Total'] };
    expect(verdictOf(tax, { value: '19.00' }, 'VAT reg. no.: 123456789\nSales tax  19.00').kind).toBe(
      'holds',
    );
    expect(verdictOf(tax, { value: '19.00' }, 'Total lines: 40\nSales tax  19.00').kind).toBe('holds');
    expect(verdictOf(tax, { value: '19.00' }, 'Total (all lines): 40\nSales tax  19.00').kind).toBe('broken');
  });

  it('has labels of words only', () => {
    expect(verdictOf({ labels: ['***'] }, { value: '500.00' }, '***: 500.00').kind).toBe('holds');
  });

  it('counts any of several labels', () => {
    const page = 'Amount claimed: 1.00\nTotal claimed: 500.00';
    expect(verdictOf(total, { value: '500.00' }, page).kind).toBe('holds');
    expect(problem(verdictOf(total, { value: '2.00' }, page)).expected).toBe('1.00 or 500.00');
  });

  it('reads dates, counts, rates and currencies beside labels, but no words', () => {
    const page = 'Date: 3 May 2024\nLines: 4\nRate: 19 %\nMoney: EUR\nName: Ann Lee';
    const label = (labels: string) => ({ labels: [labels] });
    const expected = (kind: PrintedInDocument['kind'], name: string, value: string) =>
      problem(verdictOf({ kind, ...label(name) }, { value }, page)).expected;
    expect(expected('date', 'Date', '2024-05-04')).toBe('2024-05-03');
    expect(expected('count', 'Lines', '5')).toBe('4');
    expect(expected('percent', 'Rate', '7')).toBe('19');
    expect(expected('currency', 'Money', 'USD')).toBe('EUR');
    expect(expected('text', 'Name', 'Bob')).toBeNull();
    expect(expected('identifier', 'Name', 'Bob')).toBeNull();
  });

  it('reads a negative amount with its sign unless the sign is no matter', () => {
    const page = 'Total claimed: (5.00)';
    expect(problem(verdictOf(total, { value: '6.00' }, page)).expected).toBe('-5.00');
    expect(problem(verdictOf({ ...total, anySign: true }, { value: '6.00' }, page)).expected).toBe('5.00');
  });
});

describe('case 30: a value that must stand at its label', () => {
  const deductible = { labels: ['Deductible', 'Policy excess'], atLabel: true };
  const check = (value: string, page: string) => verdictOf(deductible, { value }, page);

  it.each([
    'Deductible: 500.00',
    'Deductible  500.00',
    'Deductible 500.00',
    'Deductible EUR 500.00',
    'Deductible (each loss) 500.00',
    'Deductible (each loss): 500.00',
    'Deductible per loss: 500.00 for each event',
    'DEDUCTIBLE ......... 500.00',
    'Deductible | 500.00',
    'Deductible:\n500.00',
    'Total       Deductible\n1,000.00    500.00',
    'Total  Deductible  Name\n1,000.00  500.00  Ann Lee',
    'Policy-excess: 500.00',
  ])('is found in %j', (page) => {
    expect(check('500.00', page)).toMatchObject({ kind: 'holds', evidence: [{ printed: '500.00' }] });
  });

  it('fails when it is invented, though the number stands elsewhere', () => {
    expect(problem(check('500.00', 'Item  500.00\nTotal  500.00'))).toEqual({
      message: 'This value is not printed in the document beside its label.',
      expected: 'not_printed',
      found: '500.00',
    });
  });

  it('fails when a sentence only mentions the word', () => {
    const page = 'The standard deductible of 500.00 applies.\nDeductible applies as agreed in section 500';
    expect(problem(check('500.00', page)).expected).toBe('not_printed');
  });

  it('fails when the field is there but empty, or holds another value', () => {
    expect(problem(check('500.00', 'Deductible: ______\nItem 500.00')).expected).toBe('blank');
    expect(problem(check('500.00', 'Deductible: 250.00\nItem 500.00')).expected).toBe('250.00');
    expect(problem(check('500.00', 'Deductible: none  Total: 500.00')).expected).toBe('blank');
  });

  it('takes an honest absence', () => {
    expect(check('not_printed', 'Item  500.00').kind).toBe('holds');
    expect(check('blank', 'Deductible:\n\nItem  500.00').kind).toBe('holds');
    expect(check('blank', 'Deductible: ________\n4.00').kind).toBe('holds');
    expect(check('blank', 'Deductible ........\n').kind).toBe('holds');
    expect(check('blank', 'Item  500.00').kind).toBe('holds');
    expect(check('not_printed', 'Deductible: see schedule').kind).toBe('holds');
    expect(check('blank', 'Deductible: see section 4').kind).toBe('holds');
  });

  it('refuses an absence where a value is printed', () => {
    for (const value of ['not_printed', 'blank']) {
      expect(problem(check(value, 'Deductible: EUR 250.00'))).toEqual({
        message: 'The document has this field, with a value beside its label.',
        expected: '250.00',
        found: value,
      });
    }
  });

  it('tells a field that is empty from one that is not there', () => {
    expect(problem(check('not_printed', 'Item  500.00\nDeductible:')).expected).toBe('blank');
    expect(problem(check('not_printed', 'Deductible: ______'))).toEqual({
      message: 'The document has this field; nothing is written beside its label.',
      expected: 'blank',
      found: 'not_printed',
    });
  });
});
