import type { EvaluationStore, KeptEvaluation } from '../../../src/ports/evaluation-store.js';
import { byPrefix, pageOf } from './memory-page.js';

export interface MemoryEvaluations extends EvaluationStore {
  readonly kept: KeptEvaluation[];
}

export function createMemoryEvaluations(): MemoryEvaluations {
  const kept: KeptEvaluation[] = [];
  return {
    kept,
    add: async (evaluation) => {
      if (!kept.some(({ id }) => id === evaluation.id)) kept.push(evaluation);
    },
    find: async (id) => byPrefix(kept, id, (evaluation) => evaluation.id),
    list: async ({ specId }, page) =>
      pageOf(kept.filter((each) => specId === undefined || each.specId === specId).reverse(), page),
    latest: async () => [
      ...new Map(
        kept.map((each) => [`${each.specId} ${each.schemaVersion} ${each.promptVersion}`, each]),
      ).values(),
    ],
  };
}
