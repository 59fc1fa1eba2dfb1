import { afterEach, describe, expect, it } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { claimTwoDecimals } from '../../specs/claim/two-decimals.js';
import { invoice } from '../../specs/invoice/invoice.js';
import type { Invoice } from '../../specs/invoice/record.js';
import { printRecord } from '../../src/spec/print-record.js';
import type { Spec } from '../../src/spec/spec.js';
import { aClaim } from '../specs/claims.js';
import { judge, play, says } from './script.js';

const claims = claim as Spec;
const invoices = invoice as Spec;
const paperOf = (record: unknown) => printRecord(claim.fields, record);
const rulesOf = ({ result }: ReturnType<typeof judge>) =>
  result.kind === 'rejected' ? result.problems.map(({ rule }) => rule) : [];

function anInvoice(lines: readonly (readonly [string, string, string])[], sums: Partial<Invoice>): Invoice {
  const [example] = invoice.examples?.('EUR', 2) ?? [];
  if (example === undefined) throw new Error('The invoice spec has no example.');
  const line_items = lines.map(([quantity, unit_price, amount], index) => ({
    description: `Part ${index + 1}`,
    quantity,
    unit_price,
    amount,
  }));
  return { ...example, line_items, printed_line_count: String(lines.length), ...sums };
}

const judgeInvoice = (record: Invoice) => judge(invoices, printRecord(invoice.fields, record), says(record));

describe('case 21: 1,204.375 dinars under a rule of two decimals', () => {
  const dinars = { currency: 'BHD', amounts: ['401.125', '803.250'] };
  const exact = aClaim({ ...dinars, total: '1204.375' });
  const rounded = aClaim({ ...dinars, total: '1204.38' });
  const form = paperOf(exact);

  it('ends as a contradiction after two attempts, naming both rules, the field and the value', () => {
    const played = play(claimTwoDecimals as Spec, form, [says(exact), says(rounded), says(exact)]);
    expect(played.ending).toMatchObject({
      reason: 'contradiction',
      attempts: 2,
      diagnosis: { rules: ['total-equals-sum', 'two-decimals'], pointer: '/total_claimed' },
    });
    expect(played.judged[1]?.contradiction?.values).toContain('1204.375');
    expect(played.judged[1]?.contradiction?.explanation).toMatch(/"two-decimals".*needs 1204\.38/);
  });

  it('verifies first time when decimals are counted by the currency', () => {
    expect(play(claims, form, [says(exact)]).ending).toEqual({ kind: 'verified', attempts: 1 });
    expect(rulesOf(judge(claims, paperOf(rounded), says(rounded)))).toContain('total-equals-sum');
  });

  it.each([
    ['JPY', '1204.5', '1204'],
    ['EUR', '1204.375', '1204.38'],
    ['KWD', '1204.3751', '1204.375'],
    ['CLF', '1204.12345', '1204.1234'],
  ])('in %s, %s has a decimal too many and %s has not', (currency, tooFine, fine) => {
    const of = (amount: string) => {
      const record = aClaim({ currency, amounts: [amount], total: amount });
      return rulesOf(judge(claims, paperOf(record), says(record)));
    };
    expect(of(tooFine)).toContain('minor-units');
    expect(of(fine)).toEqual([]);
  });
});

describe('case 23: money is decimal from end to end', () => {
  it('2 x 89.50 and 12 x 4.20 are 229.40, and a price may be finer than its currency', () => {
    const exact = anInvoice(
      [
        ['2', '89.50', '179.00'],
        ['12', '4.20', '50.40'],
        ['1000', '0.1212', '121.20'],
      ],
      { net_total: '350.60', tax_amount: '66.61', total: '417.21' },
    );
    expect(rulesOf(judgeInvoice(exact))).toEqual([]);
  });

  it('1.005 x 100 is 100.50 and not a hundred', () => {
    const of = (amount: string, tax: string, total: string) =>
      judgeInvoice(anInvoice([['100', '1.005', amount]], { net_total: amount, tax_amount: tax, total }));
    expect(rulesOf(of('100.50', '19.10', '119.60'))).toEqual([]);
    expect(rulesOf(of('100.00', '19.00', '119.00'))).toContain('line-arithmetic');
  });

  it('adds ten thousand cents, and amounts beyond any float, to the digit', () => {
    const cents = aClaim({ amounts: Array.from({ length: 10_000 }, () => '0.01'), total: '100.00' });
    expect(judge(claims, null, says(cents)).result).toMatchObject({ problems: [{ rule: 'grounded' }] });
    const large = aClaim({ amounts: ['9007199254740993.01', '0.01'], total: '9007199254740993.02' });
    expect(rulesOf(judge(claims, paperOf(large), says(large)))).toEqual([]);
    const off = { ...large, total_claimed: '9007199254740993.01' };
    expect(rulesOf(judge(claims, paperOf(off), says(off)))).toContain('total-equals-sum');
  });
});

describe('case 25: the sum of rounded amounts', () => {
  // Three lines of 33.333 are 33.33 each; the paper's net is the rounded sum 100.00.
  const lines = [
    ['1', '33.333', '33.33'],
    ['1', '33.333', '33.33'],
    ['1', '33.333', '33.33'],
  ] as const;

  it('may be a cent off over three lines, and not a whole unit', () => {
    const near = anInvoice(lines, { net_total: '100.00', tax_amount: '19.00', total: '119.00' });
    expect(rulesOf(judgeInvoice(near))).toEqual([]);
    const far = anInvoice(lines, { net_total: '100.99', tax_amount: '19.19', total: '120.18' });
    expect(rulesOf(judgeInvoice(far))).toEqual(['net-equals-sum']);
  });

  it('has no such room where the rule says exactly', () => {
    const record = aClaim({ amounts: ['33.33', '33.33', '33.33'], total: '100.00' });
    expect(rulesOf(judge(claims, paperOf(record), says(record)))).toContain('total-equals-sum');
  });
});

describe('case 27: numbers are compared by value', () => {
  it('25.0 is 25.00, and a rate of 9.5 percent is not rounded', () => {
    const record = aClaim({ amounts: ['25.0'], total: '25.00' });
    expect(rulesOf(judge(claims, paperOf(record), says(record)))).toEqual([]);
    const taxed = (tax: string, total: string) =>
      judgeInvoice(
        anInvoice([['1', '200.00', '200.00']], {
          net_total: '200.00',
          tax_rate: '9.5',
          tax_amount: tax,
          total,
        }),
      );
    expect(rulesOf(taxed('19.00', '219.00'))).toEqual([]);
    expect(rulesOf(taxed('20.00', '220.00'))).toEqual(['tax-arithmetic']);
  });

  it('a repair that only spells the same amounts otherwise is no progress', () => {
    const wrong = aClaim({ amounts: ['25.00', '10.00'], total: '30.00' });
    const respelled = {
      ...wrong,
      total_claimed: '30.0',
      line_items: wrong.line_items.map((line) => ({ ...line, amount: String(Number(line.amount)) })),
    };
    // The paper prints another total, so that no contradiction is proved first.
    const played = play(claims, paperOf(aClaim({ amounts: ['25.00', '10.00'], total: '35.00' })), [
      says(wrong),
      says(respelled),
    ]);
    expect(played.ending).toMatchObject({ reason: 'no_progress', attempts: 2 });
  });
});

describe('case 29: a date that can be read in two ways', () => {
  const record = { ...aClaim({ amounts: ['1.00'], total: '1.00' }), loss_date: '1985-03-04' };
  const paper = (date: string) => ({
    pages: [paperOf(record).pages[0]?.replace('1985-03-04', date) ?? ''],
  });
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  it.each(['America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'])(
    'keeps the print beside the ISO date and flags the doubt, the same in %s',
    (timeZone) => {
      process.env['TZ'] = timeZone;
      const judged = judge(claims, paper('03/04/1985'), says(record));
      expect(judged.result.kind).toBe('accepted');
      expect(judged.candidate).toMatchObject({ loss_date: '1985-03-04' });
      expect(judged.evidence.find(({ pointer }) => pointer === '/loss_date')).toMatchObject({
        printed: '03/04/1985',
        otherReadings: ['1985-04-03'],
      });
      for (const loss_date of ['1985-03-03', '1985-03-05']) {
        expect(rulesOf(judge(claims, paper('03/04/1985'), says({ ...record, loss_date })))).toEqual([
          'printed/loss_date',
        ]);
      }
    },
  );

  it('is in no doubt where the print leaves none', () => {
    const { evidence } = judge(claims, paper('4 March 1985'), says(record));
    expect(evidence.find(({ pointer }) => pointer === '/loss_date')).not.toHaveProperty('otherReadings');
  });

  it('is no date when the calendar has no such day', () => {
    const { result } = judge(claims, paper('30/02/1985'), says({ ...record, loss_date: '1985-02-30' }));
    expect(result).toMatchObject({ failureClass: 'schema' });
  });
});

describe('case 30: a deductible that the form does not have', () => {
  const honest = aClaim({ amounts: ['500.00', '250.00'], total: '750.00', deductible: 'not_printed' });
  const form = paperOf(honest);

  it('verifies as not printed, and an invented one fails although the number is a true quote of something else', () => {
    expect(judge(claims, form, says(honest)).result.kind).toBe('accepted');
    for (const deductible of ['500', '500.00', '0', '0.00', '750.00']) {
      expect(rulesOf(judge(claims, form, says({ ...honest, deductible })))).toEqual(['printed/deductible']);
    }
  });

  it('leads a repair to the honest answer', () => {
    const played = play(claims, form, [says({ ...honest, deductible: '500' }), says(honest)]);
    expect(played.ending).toEqual({ kind: 'verified', attempts: 2 });
    expect(played.requests[1]?.feedback).toContain('expected "not_printed"');
  });

  it('has no other way out: null, an empty text and a missing field break the shape', () => {
    const { deductible: _missing, ...without } = honest;
    for (const record of [without, { ...honest, deductible: null }, { ...honest, deductible: '' }]) {
      expect(judge(claims, form, says(record)).result).toMatchObject({ failureClass: 'schema' });
    }
  });

  it('tells a blank field from one that is not there', () => {
    const blank = { ...honest, deductible: 'blank' };
    expect(judge(claims, paperOf(blank), says(blank)).result.kind).toBe('accepted');
    expect(rulesOf(judge(claims, paperOf(blank), says(honest)))).toEqual(['printed/deductible']);
    expect(rulesOf(judge(claims, paperOf({ ...honest, deductible: '75.00' }), says(blank)))).toEqual([
      'printed/deductible',
    ]);
  });
});
