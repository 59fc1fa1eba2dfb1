import type { StoreActivities } from './contract.js';
import type { ActivityDependencies } from './dependencies.js';
import { finalFailure } from './fault-failure.js';

/** Asks the spec's repair budget for one repair; the same attempt always gets the same answer. */
export function createTakePermit(deps: ActivityDependencies): StoreActivities['takePermit'] {
  return async ({ ref, attempt }) => {
    const spec = deps.catalogue.find({ ...ref, id: ref.specId });
    if (spec === null) throw finalFailure('spec_unavailable');
    const ask = { ref, attempt, budget: spec.repairBudget, at: deps.now() };
    const granted = await deps.store.traffic.takePermit(ask);
    deps.observer?.permitDecided(ref, attempt, granted);
    return granted;
  };
}
