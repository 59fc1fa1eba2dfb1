import type { BatchStep, BatchStepped } from '../domain/batch.js';
import type { ReconcileAsk, Reconciled } from '../domain/reconciliation.js';
import type { RedriveStep, RedriveStepped } from '../domain/redrive.js';
import type { SweepPoint, SweptSome } from '../domain/retention-sweep.js';
import type { Observer } from '../ports/observer.js';
import type { Application } from './application.js';
import { batchStep } from './batch-step.js';
import { reconcile } from './reconcile.js';
import { redriveStep } from './redrive-step.js';
import { sweepSome } from './retention.js';
import type { OnFault } from './unless-down.js';

/** What workers do about many runs, and about those that were lost. */
export interface Upkeep {
  redriveStep(step: RedriveStep): Promise<RedriveStepped>;
  batchStep(step: BatchStep): Promise<BatchStepped>;
  reconcile(ask: ReconcileAsk): Promise<Reconciled>;
  sweepSome(from: SweepPoint | null): Promise<SweptSome>;
}

/**
 * `application` is asked for when there is something to do: a worker connects to the engine only then. `onFault` is told
 * of errors that nobody foresaw, each about one of many; the others are not kept waiting. `observer` of runs that the
 * reconciler ends.
 */
export function createUpkeep(
  application: () => Promise<Application>,
  onFault: OnFault,
  observer?: Pick<Observer, 'runEnded'>,
): Upkeep {
  return {
    redriveStep: async (step) => redriveStep(await application(), step, onFault),
    batchStep: async (step) => batchStep(await application(), step, onFault),
    reconcile: async (ask) => reconcile(await application(), ask, { onFault, observer }),
    sweepSome: async (from) => sweepSome(await application(), from),
  };
}
