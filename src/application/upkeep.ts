import type { ReconcileAsk, Reconciled } from '../domain/reconciliation.js';
import type { RedriveStep, RedriveStepped } from '../domain/redrive.js';
import type { Application } from './application.js';
import { reconcile } from './reconcile.js';
import { redriveStep } from './redrive-step.js';

/** What workers do about many runs, and about those that were lost. */
export interface Upkeep {
  redriveStep(step: RedriveStep): Promise<RedriveStepped>;
  reconcile(ask: ReconcileAsk): Promise<Reconciled>;
}

/** `application` is asked for when there is something to do: a worker connects to the engine only then. */
export function createUpkeep(application: () => Promise<Application>): Upkeep {
  return {
    redriveStep: async (step) => redriveStep(await application(), step),
    reconcile: async (ask) => reconcile(await application(), ask),
  };
}
