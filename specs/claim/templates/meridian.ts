import { defineTemplate } from '../../../src/spec/index.js';

/** Meridian Insurance Brokers' claim schedule: a row of labels over a row of values. */
export const meridian = defineTemplate({
  id: 'meridian',
  detect: [/^MERIDIAN INSURANCE BROKERS$/m, /^Claim schedule$/m],
  fields: {
    claim_number: {
      pattern: /^Claim reference\s+Policy reference\s+Loss date[ ]*\n(?<value>\S+)/m,
      type: 'identifier',
    },
    policy_number: {
      pattern: /^Claim reference\s+Policy reference\s+Loss date[ ]*\n\S+[ ]+(?<value>\S+)/m,
      type: 'identifier',
    },
    total_claimed: { pattern: /^Total amount claimed[ ]+(?<value>\S.*)$/m, type: 'money' },
  },
});
