import { claim } from '../../specs/claim/claim.js';
import type { KeptEvaluation } from '../../src/ports/evaluation-store.js';

/** What an evaluation of a version came to; of 20 records that could be compared, so many totals are right. */
export function evaluation(given: Partial<KeptEvaluation> & Pick<KeptEvaluation, 'id'>, rightTotals: number) {
  const kept: KeptEvaluation = {
    ...{ specId: claim.id, schemaVersion: claim.schemaVersion, promptVersion: claim.prompt.version },
    ...{ tenant: 'acme', truthSet: 'aa', providers: ['stand-in'], models: ['claude-haiku-5-5'] },
    ...{ beganAt: Date.UTC(2026, 2, 1, 12), endedAt: Date.UTC(2026, 2, 1, 12, 1, 3), documents: 25 },
    curve: [
      { attempts: 1, verified: 15 },
      { attempts: 2, verified: 20 },
    ],
    ...{ right: rightTotals, unjudged: 0 },
    wrong: Array.from({ length: 20 - rightTotals }, (_, index) => ({
      ...{ extractionId: `${index}`.repeat(64).slice(0, 64), differs: ['/total_claimed'] },
    })),
    fields: [
      { pointer: '/claim_number', right: 20, of: 20 },
      { pointer: '/total_claimed', right: rightTotals, of: 20 },
    ],
    landed: [{ reason: 'no_progress', route: 'human_review', documents: 5 }],
    classes: [{ failureClass: 'constraint', documents: 5 }],
    ...{ calls: 31, tokens: 40_000, cost: [{ amount: '0.12', currency: 'USD' }] },
    ...given,
  };
  return kept;
}
