import type { Policy, RepairBudget } from '../../src/spec/index.js';

/** Where an exhausted claim goes. Under a template the three fields that matter most can be read without a model. */
export const claimPolicy: Partial<Policy> = {
  routes: [
    { to: 'human_review', when: { reasons: ['contradiction'] } },
    {
      to: 'fallback',
      when: {
        templateRecognised: true,
        reasons: [
          'token_ceiling',
          'no_progress',
          'attempt_cap',
          'oscillation',
          'not_repairable',
          'empty_reply',
        ],
      },
    },
    { to: 'human_review', when: { reasons: ['refusal'] } },
    { to: 'dead_letter', when: { reasons: ['unreadable_document'] } },
    { to: 'human_review', when: { hasCandidate: true } },
    { to: 'dead_letter' },
  ],
};

/**
 * Claims need repairs for a third of their traffic on ordinary days: 32 per 100 primary calls. The floor lets the sample
 * documents be extracted several times within one window.
 */
export const claimRepairBudget: RepairBudget = { share: 0.4, floor: 60, windowMs: 300_000 };
