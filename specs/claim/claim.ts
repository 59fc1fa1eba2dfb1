import { defineSpec, minorUnits } from '../../src/spec/index.js';
import { exampleClaims } from './examples.js';
import { claimPolicy, claimRepairBudget } from './policy.js';
import { claimPrompt } from './prompt.js';
import { claimFields } from './record.js';
import { claimRules } from './rules.js';
import { harbour } from './templates/harbour.js';
import { meridian } from './templates/meridian.js';

/** Insurance claims: amounts have as many decimals as their currency has. */
export const claim = defineSpec({
  id: 'claim',
  title: 'Claim',
  schemaVersion: '1',
  prompt: claimPrompt,
  fields: claimFields,
  constraints: [
    ...claimRules,
    minorUnits({ currency: '/currency', amounts: ['/total_claimed', '/line_items/*/amount', '/deductible'] }),
  ],
  templates: [harbour, meridian],
  policy: claimPolicy,
  repairBudget: claimRepairBudget,
  amount: (record) => ({ amount: record.total_claimed, currency: record.currency }),
  examples: exampleClaims,
});

export default claim;
