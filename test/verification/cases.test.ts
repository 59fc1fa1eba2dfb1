import { describe, expect, it } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { invoice } from '../../specs/invoice/invoice.js';
import type { Invoice } from '../../specs/invoice/record.js';
import { verify } from '../../src/verification/verify.js';
import { aClaim, printed } from '../specs/claims.js';

const rulesBroken = (verdict: ReturnType<typeof verify>) =>
  verdict.kind === 'broken' ? [...new Set(verdict.problems.map(({ rule }) => rule))] : verdict.kind;

describe('case 2: rows that vanish from a valid reply', () => {
  const [whole] = invoice.examples?.('EUR', 2) ?? [];
  if (whole === undefined) throw new Error('the invoice spec has no example');

  it('break the sum and the printed count', () => {
    const cut: Invoice = { ...whole, line_items: whole.line_items.slice(0, 1) };
    const verdict = verify(cut, invoice.constraints, { text: printed(invoice, whole), previous: null });
    expect(rulesBroken(verdict)).toEqual(['line-count-as-printed', 'net-equals-sum']);
  });

  it('break the printed count even when they sum up to zero', () => {
    const lines = [1, -1].map((sign) => ({
      description: 'Deposit for bottles',
      quantity: `${2 * sign}`,
      unit_price: '5.00',
      amount: `${10 * sign}.00`,
    }));
    const long: Invoice = { ...whole, line_items: [...whole.line_items, ...lines], printed_line_count: '4' };
    const text = printed(invoice, long);
    expect(verify(long, invoice.constraints, { text, previous: null }).kind).toBe('holds');
    const cut: Invoice = { ...long, line_items: whole.line_items };
    expect(rulesBroken(verify(cut, invoice.constraints, { text, previous: null }))).toEqual([
      'line-count-as-printed',
    ]);
  });

  it('cannot be hidden by saying that no count is printed, or another one', () => {
    const cut: Invoice = { ...whole, line_items: whole.line_items.slice(0, 1) };
    for (const printed_line_count of ['not_printed', 'blank', '1'] as const) {
      const verdict = verify({ ...cut, printed_line_count }, invoice.constraints, {
        text: printed(invoice, whole),
        previous: null,
      });
      expect(rulesBroken(verdict)).toContain('printed/printed_line_count');
    }
  });
});

describe('case 1: the invoice whose reply was cut off and closed', () => {
  it('fails on its sum: three lines of 229.40 under a total of 1240.00', () => {
    const record = aClaim({ currency: 'USD', amounts: ['179.00', '50.40'], total: '1240.00' });
    const verdict = verify(record, claim.constraints, { text: printed(claim, record), previous: null });
    expect(verdict).toMatchObject({
      kind: 'broken',
      problems: [{ rule: 'total-equals-sum', expected: '229.40', found: '1240.00' }],
    });
  });
});

describe('case 30: a claim form without a deductible', () => {
  const honest = aClaim({ amounts: ['500.00', '250.00'], total: '750.00', deductible: 'not_printed' });
  const text = printed(claim, honest);

  it('verifies when the record says that none is printed', () => {
    expect(verify(honest, claim.constraints, { text, previous: null }).kind).toBe('holds');
  });

  it('fails grounding when 500 is invented, although 500.00 stands on the form', () => {
    const invented = { ...honest, deductible: '500' };
    const verdict = verify(invented, claim.constraints, { text, previous: null });
    expect(verdict).toMatchObject({
      kind: 'broken',
      problems: [
        { rule: 'printed/deductible', pointer: '/deductible', expected: 'not_printed', found: '500' },
      ],
    });
  });
});

describe('a form whose lines do not add up to its total', () => {
  const printedForm = aClaim({ amounts: ['503.97', '326.78', '149.62'], total: '990.37' });
  const text = printed(claim, printedForm);

  it('is a contradiction between the sum and the print, on both candidates a model can give', () => {
    const summed = { ...printedForm, total_claimed: '980.37' };
    const pair = { rules: ['printed/total_claimed', 'total-equals-sum'], values: ['990.37', '980.37'] };
    expect(verify(printedForm, claim.constraints, { text, previous: null })).toMatchObject({
      contradiction: pair,
    });
    expect(verify(summed, claim.constraints, { text, previous: printedForm })).toMatchObject({
      contradiction: pair,
    });
  });

  it('is none while the lines themselves are read differently from attempt to attempt', () => {
    const dropped = { ...printedForm, line_items: printedForm.line_items.slice(1) };
    const verdict = verify(printedForm, claim.constraints, { text, previous: dropped });
    expect(verdict).toMatchObject({ kind: 'broken', contradiction: null });
  });
});

describe('a scan without a text layer', () => {
  it('holds with every printed value ungrounded, for the spec to decide', () => {
    const record = aClaim({ amounts: ['1.00'], total: '1.00' });
    const verdict = verify(record, claim.constraints, { text: null, previous: null });
    expect(verdict).toMatchObject({ kind: 'holds', evidence: [] });
    expect(verdict).toMatchObject({
      ungrounded: expect.arrayContaining(['/total_claimed', '/line_items/0/amount']),
    });
  });
});
