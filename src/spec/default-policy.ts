import type { Policy } from '../domain/policy.js';
import type { RepairBudget } from '../domain/repair-budget.js';

/** Bounds of a run where a spec says nothing else. Attempts, milliseconds and tokens. */
export const defaultPolicy: Policy = {
  attemptCap: 3,
  deadlineMs: 60_000,
  tokenCap: 60_000,
  moneyCap: null,
  tokenCeilings: [1500, 3000, 4000],
  transport: { maximumCalls: 3, backoffTotalMs: 8000 },
  repairLaneWaitMs: 5000,
  outage: { patienceMs: 0, pauseMs: 1000 },
  estimateMs: [3000, 5000],
  models: ['claude-haiku-5-5', 'claude-sonnet-5-5'],
  routes: [
    // What only a person can settle: the document contradicts itself, or its rules break whatever the model answers.
    { to: 'human_review', when: { reasons: ['contradiction', 'not_repairable', 'refusal'] } },
    {
      to: 'human_review',
      when: { reasons: ['attempt_cap', 'no_progress', 'oscillation'], failureClasses: ['constraint'] },
    },
    // The rest is what another run may mend: another prompt, more room, more time, a readable copy.
    { to: 'dead_letter' },
  ],
};

/** Repairs: one per ten primary calls in any five minutes, and ten however quiet it is. */
export const defaultRepairBudget: RepairBudget = { share: 0.1, floor: 10, windowMs: 300_000 };
