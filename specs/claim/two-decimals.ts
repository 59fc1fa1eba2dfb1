import { defineSpec, fixedDecimals } from '../../src/spec/index.js';
import { exampleClaims } from './examples.js';
import { claimPolicy, claimRepairBudget } from './policy.js';
import { claimPrompt } from './prompt.js';
import { claimFields } from './record.js';
import { claimRules } from './rules.js';
import { harbour } from './templates/harbour.js';
import { meridian } from './templates/meridian.js';

/**
 * Claims under a rule that is wrong on purpose: two decimals for every currency. Together with the exact sum no total
 * of 1,204.375 dinars can satisfy it, which shows how a contradiction is found and told.
 */
export const claimTwoDecimals = defineSpec({
  id: 'claim-two-decimals',
  title: 'Claim',
  schemaVersion: '1',
  prompt: claimPrompt,
  fields: claimFields,
  constraints: [
    ...claimRules,
    fixedDecimals({ id: 'two-decimals', decimals: 2, amounts: ['/total_claimed'] }),
  ],
  templates: [harbour, meridian],
  policy: claimPolicy,
  repairBudget: claimRepairBudget,
  amount: (record) => ({ amount: record.total_claimed, currency: record.currency }),
  examples: exampleClaims,
});

export default claimTwoDecimals;
