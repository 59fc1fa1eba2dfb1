import {
  asPrinted,
  currencyCode,
  identifier,
  isoDate,
  list,
  money,
  type RecordOf,
  text,
} from '../../src/spec/index.js';

/** What a claim form says, with the labels that brokers print beside it. */
export const claimFields = {
  claim_number: identifier('Claim number', { labels: ['Claim No', 'Claim reference', 'Our reference'] }),
  policy_number: identifier('Policy number', { labels: ['Policy No', 'Policy reference', 'Policy'] }),
  claimant: text('Claimant', { labels: ['Insured party', 'Insured', 'Name of insured', 'Policyholder'] }),
  loss_date: isoDate('Date of loss', {
    labels: ['Loss date', 'Date of incident', 'Incident date', 'Date of damage', 'Schadendatum'],
  }),
  currency: currencyCode('Currency', { labels: ['All amounts in', 'Amounts in'] }),
  line_items: list('Claimed items', {
    description: text('Description'),
    amount: money('Amount'),
  }),
  total_claimed: money('Total claimed', {
    labels: ['Total amount claimed', 'Amount claimed', 'Claim total', 'Total claim'],
  }),
  deductible: asPrinted(
    money('Deductible', {
      // Any amount of the form could pass for an invented deductible, were it looked for everywhere.
      printed: 'at_label',
      labels: [
        'Policy deductible',
        'Excess',
        'Policy excess',
        'Less deductible',
        'Selbstbehalt',
        'Franchise',
      ],
      anySign: true,
    }),
  ),
};

export type Claim = RecordOf<typeof claimFields>;
