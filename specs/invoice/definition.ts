import type { SpecDefinition } from '../../src/spec/index.js';
import { exampleInvoices } from './examples.js';
import { invoiceFields } from './record.js';
import { invoiceRules } from './rules.js';

/** All of an invoice spec but its id. */
export const invoiceDefinition: Omit<SpecDefinition<typeof invoiceFields>, 'id'> = {
  title: 'Invoice',
  schemaVersion: '1',
  prompt: {
    version: '1',
    text: [
      'The document is an invoice or a credit note.',
      'Amounts of a credit note are negative, also where the document prints them without a sign.',
      'The number of lines is a count that the document itself prints; never count the lines yourself.',
    ].join('\n'),
  },
  fields: invoiceFields,
  constraints: invoiceRules,
  policy: {
    routes: [
      { to: 'human_review', when: { reasons: ['token_ceiling'] } },
      {
        to: 'best_effort',
        when: {
          reasons: ['attempt_cap', 'not_repairable', 'no_progress', 'oscillation'],
          hasCandidate: true,
        },
      },
      { to: 'human_review', when: { reasons: ['refusal'] } },
      { to: 'dead_letter' },
    ],
  },
  // The floor lets the sample documents be extracted several times within one window.
  repairBudget: { share: 0.1, floor: 60, windowMs: 300_000 },
  amount: (record) => ({ amount: record.total, currency: record.currency }),
  examples: exampleInvoices,
};
