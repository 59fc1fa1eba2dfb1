import { bestCandidate } from '../src/domain/best-candidate.js';
import type { StoreActivities } from './contract.js';
import type { ActivityDependencies } from './dependencies.js';

/** Keeps the best whole candidate under `best_effort`, with its unmet rules; does nothing when there is none. */
export function createKeepBestEffort(deps: ActivityDependencies): StoreActivities['keepBestEffort'] {
  return async (ref) => {
    const best = bestCandidate(await deps.store.attempts.list(ref.key, ref.run));
    if (best === null) return;
    await deps.store.records.put({
      ...ref,
      status: 'best_effort',
      record: best.candidate,
      evidence: best.evidence,
      ungrounded: best.ungrounded,
      unmet: best.problems,
      normalisations: best.report.normalisations,
      verifierVersion: `${ref.specId}@${ref.schemaVersion}`,
      template: null,
      at: deps.now(),
    });
  };
}
