import { claimPolicy } from '../../specs/claim/policy.js';
import { claimPrompt } from '../../specs/claim/prompt.js';
import { claimFields } from '../../specs/claim/record.js';
import { claimRules } from '../../specs/claim/rules.js';
import { harbour } from '../../specs/claim/templates/harbour.js';
import { invoiceDefinition } from '../../specs/invoice/definition.js';
import { defineSpec, minorUnits, type Policy } from '../../src/spec/index.js';

/** Time and repairs enough for a machine on which everything is killed now and then. */
const patient: Partial<Policy> = {
  deadlineMs: 180_000,
  estimateMs: [200],
  repairLaneWaitMs: 90_000,
  transport: { maximumCalls: 3, backoffTotalMs: 300 },
};
const repairBudget = { share: 1, floor: 100_000, windowMs: 300_000 };

/** The claims of the examples under a prompt of this version. */
function claimUnder(version: string, policy: Partial<Policy> = {}) {
  return defineSpec({
    id: 'claim',
    title: 'Claim',
    schemaVersion: '1',
    prompt: { version, text: claimPrompt.text },
    fields: claimFields,
    constraints: [
      ...claimRules,
      minorUnits({
        currency: '/currency',
        amounts: ['/total_claimed', '/line_items/*/amount', '/deductible'],
      }),
    ],
    templates: [harbour],
    policy: { ...claimPolicy, ...patient, ...policy },
    repairBudget,
    amount: (record) => ({ amount: record.total_claimed, currency: record.currency }),
  });
}

/** No answer fits under it, so that everything is parked. */
export const claimV7 = claimUnder('v7', { tokenCeilings: [40] });

const invoice = defineSpec({
  id: 'invoice',
  ...invoiceDefinition,
  policy: { ...invoiceDefinition.policy, ...patient },
  repairBudget,
});

/** What the processes of the fault suite run: the newest first. */
export default [claimUnder('v8'), claimV7, invoice];
