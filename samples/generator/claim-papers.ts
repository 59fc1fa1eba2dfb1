import type { Claim } from './claim.js';
import type { Block, Column, Pair, Paper } from './paper.js';

const FILL = '________________';

/** The form of Harbour Brokers: labels with colons in two columns, the deductible under the total. */
export function harbourPaper(claim: Claim): Paper {
  const { record } = claim;
  return {
    blocks: [
      { kind: 'heading', text: 'HARBOUR BROKERS - Notice of claim' },
      {
        kind: 'pairs',
        rows: [
          [
            ['Claim No.', record.claim_number],
            ['Policy No.', record.policy_number],
          ],
          [
            ['Claimant', record.claimant],
            ['Date of loss', claim.lossDate],
          ],
          [
            ['Currency', record.currency],
            ['Reported on', claim.reportDate],
          ],
        ],
      },
      { kind: 'gap' },
      table(claim, ['Description', 'Amount']),
      { kind: 'gap' },
      { kind: 'totals', pairs: [['Total claimed', claim.total], ...deductibleLine(claim, 'Deductible')] },
      ...remarks(claim),
      { kind: 'gap' },
      { kind: 'text', text: 'Harbour Brokers, Quay 4. We act for the policyholder.' },
    ],
  };
}

/** The form of Meridian Insurance Brokers: rows of labels over rows of values. */
export function meridianPaper(claim: Claim): Paper {
  const { record } = claim;
  return {
    blocks: [
      { kind: 'heading', text: 'MERIDIAN INSURANCE BROKERS' },
      { kind: 'text', text: 'Claim schedule' },
      { kind: 'gap' },
      {
        kind: 'grid',
        pairs: [
          ['Claim reference', record.claim_number],
          ['Policy reference', record.policy_number],
          ['Loss date', claim.lossDate],
        ],
      },
      { kind: 'gap' },
      {
        kind: 'grid',
        pairs: [
          ['Insured party', record.claimant],
          ['Currency', record.currency],
          ['Notified on', claim.reportDate],
        ],
      },
      { kind: 'gap' },
      table(claim, ['Particulars', 'Amount claimed']),
      { kind: 'gap' },
      {
        kind: 'totals',
        pairs: [...deductibleLine(claim, 'Policy excess'), ['Total amount claimed', claim.total]],
      },
      ...remarks(claim),
    ],
  };
}

/** A claim in a letter of its own, which no template knows. */
export function letterPaper(claim: Claim): Paper {
  const { record } = claim;
  return {
    blocks: [
      { kind: 'heading', text: 'Insurance claim' },
      { kind: 'text', text: 'Dear Sir or Madam, I report the following loss and ask you to settle it.' },
      { kind: 'gap' },
      {
        kind: 'pairs',
        rows: [
          [['Our reference', record.claim_number]],
          [['Policy', record.policy_number]],
          [['Name of insured', record.claimant]],
          [['Date of incident', claim.lossDate]],
          [['All amounts in', record.currency]],
        ],
      },
      { kind: 'gap' },
      table(claim, ['Item', 'Amount']),
      { kind: 'gap' },
      {
        kind: 'pairs',
        rows: [[['Amount claimed', `${record.currency} ${claim.total}`]], ...deductibleRow(claim)],
      },
      ...remarks(claim),
      { kind: 'gap' },
      { kind: 'text', text: 'Yours faithfully' },
    ],
  };
}

function table(claim: Claim, titles: readonly [string, string]): Block {
  const columns: readonly Column[] = [
    { title: titles[0], share: 0.75 },
    { title: titles[1], share: 0.25, right: true },
  ];
  return { kind: 'table', columns, rows: claim.rows, ...(claim.carry ? { carry: claim.carry } : {}) };
}

function deductibleLine(claim: Claim, label: string): Pair[] {
  return claim.deductible === null ? [] : [[label, claim.deductible || FILL]];
}

function deductibleRow(claim: Claim): Pair[][] {
  return claim.deductible === null ? [] : [[['Deductible', claim.deductible]]];
}

function remarks(claim: Claim): Block[] {
  if (claim.remarks.length === 0) return [];
  return [{ kind: 'gap' }, ...claim.remarks.map((text): Block => ({ kind: 'text', text }))];
}
