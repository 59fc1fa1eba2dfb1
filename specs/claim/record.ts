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

/** What a claim form says. */
export const claimFields = {
  claim_number: identifier('Claim number'),
  policy_number: identifier('Policy number'),
  claimant: text('Claimant'),
  loss_date: isoDate('Date of loss'),
  currency: currencyCode('Currency'),
  line_items: list('Claimed items', {
    description: text('Description'),
    amount: money('Amount'),
  }),
  total_claimed: money('Total claimed'),
  deductible: asPrinted(money('Deductible')),
};

export type Claim = RecordOf<typeof claimFields>;
