import { defineTemplate } from '../../../src/spec/index.js';

/** Harbour Brokers' notice of claim: labels with colons, the total at the end of its line. */
export const harbour = defineTemplate({
  id: 'harbour',
  detect: [/^HARBOUR BROKERS - Notice of claim/m],
  fields: {
    claim_number: { pattern: /Claim No\.:[ ]*(?<value>\S+)/, type: 'identifier' },
    policy_number: { pattern: /Policy No\.:[ ]*(?<value>\S+)/, type: 'identifier' },
    total_claimed: { pattern: /^Total claimed[ ]+(?<value>\S.*)$/m, type: 'money' },
  },
});
