import { claimPrompt } from '../../specs/claim/prompt.js';
import { claimFields } from '../../specs/claim/record.js';
import { claimRules } from '../../specs/claim/rules.js';
import { harbour } from '../../specs/claim/templates/harbour.js';
import { defineSpec, type SpecDefinition } from '../../src/spec/index.js';
import type { Spec } from '../../src/spec/spec.js';

type Definition = SpecDefinition<typeof claimFields>;

/**
 * The claims spec under another id with other bounds. Goes to a person when there is a candidate, unless told. Its one
 * constraint leaves misread amounts to the rule that every value is printed, so that one repair mends them.
 */
export function claimSpec(id: string, changes: Partial<Omit<Definition, 'id' | 'fields'>> = {}): Spec {
  const { policy, ...others } = changes;
  const definition: Definition = {
    id,
    title: 'Claim',
    schemaVersion: '1',
    prompt: claimPrompt,
    fields: claimFields,
    constraints: claimRules.filter(({ id }) => id === 'currency-known'),
    templates: [harbour],
    repairBudget: { share: 1, floor: 1_000, windowMs: 300_000 },
    amount: (record) => ({ amount: record.total_claimed, currency: record.currency }),
    ...others,
    policy: {
      transport: { maximumCalls: 3, backoffTotalMs: 200 },
      estimateMs: [200, 200],
      deadlineMs: 30_000,
      routes: [{ to: 'human_review', when: { hasCandidate: true } }, { to: 'dead_letter' }],
      ...policy,
    },
  };
  return defineSpec(definition) as unknown as Spec;
}
