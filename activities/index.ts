import { createAttempt } from './attempt.js';
import { createKeepBestEffort } from './best-effort.js';
import type { LaneActivities, StoreActivities, UpkeepActivities } from './contract.js';
import type { ActivityDependencies } from './dependencies.js';
import { createExtractFallback } from './fallback.js';
import { createLand } from './land.js';
import { createTakePermit } from './permit.js';
import { createApplyReview, createEscalateReview } from './review.js';
import { shielded } from './shielded.js';

/** Activities of the two lanes. */
export function createLaneActivities(deps: ActivityDependencies): LaneActivities {
  return { attempt: createAttempt(deps) };
}

/** Activities of the store queue and, for the permit, of the workflow worker itself. */
export function createStoreActivities(deps: ActivityDependencies): StoreActivities {
  return {
    takePermit: shielded(createTakePermit(deps)),
    land: shielded(createLand(deps)),
    extractFallback: shielded(createExtractFallback(deps)),
    keepBestEffort: shielded(createKeepBestEffort(deps)),
    applyReview: shielded(createApplyReview(deps)),
    escalateReview: shielded(createEscalateReview(deps)),
  };
}

/** Activities of the store queue that are use cases of their own, given by whoever wires the worker. */
export function createUpkeepActivities(upkeep: UpkeepActivities): UpkeepActivities {
  return {
    redriveStep: shielded(upkeep.redriveStep),
    batchStep: shielded(upkeep.batchStep),
    reconcile: shielded(upkeep.reconcile),
    sweepSome: shielded(upkeep.sweepSome),
  };
}
