import type { AttemptReport } from '../src/domain/attempt-report.js';
import type { BatchStep, BatchStepped } from '../src/domain/batch.js';
import type { AttemptDecision, Ending } from '../src/domain/decision.js';
import type { RunRef } from '../src/domain/extraction-input.js';
import type { TransportPolicy } from '../src/domain/policy.js';
import type { ReconcileAsk, Reconciled } from '../src/domain/reconciliation.js';
import type { RedriveStep, RedriveStepped } from '../src/domain/redrive.js';
import type { SweepPoint, SweptSome } from '../src/domain/retention-sweep.js';
import type { RouteName } from '../src/domain/route.js';

/** All that workflows may see of the activities: types only. */

export interface AttemptInput {
  readonly ref: RunRef;
  readonly decision: AttemptDecision;
  readonly transport: TransportPolicy;
}

export interface AttemptOutput {
  readonly report: AttemptReport;
  /** True when this success withdrew an open review of the subject, whose workflow must be told. */
  readonly withdrewReview: boolean;
}

export interface LandInput {
  readonly ref: RunRef;
  readonly ending: Ending;
  /** Routes already taken without finding a place. */
  readonly tried: readonly RouteName[];
  readonly reviewSlaMs: number;
}

export interface LandOutput {
  readonly outcome: 'verified' | 'unverified';
  readonly route: RouteName | null;
  readonly attempts: number;
  readonly tokens: number;
  /** True when an attempt whose report never arrived had verified the run, and so withdrew the subject's open review. */
  readonly withdrewReview: boolean;
}

/** One call of the model and all that belongs to it. Runs in the lanes. */
export interface LaneActivities {
  attempt(input: AttemptInput): Promise<AttemptOutput>;
}

/**
 * What became of a decision. `changed`: it judged an earlier version of the question, which is still open. Workers before
 * it could tell these apart answered with a boolean, and histories keep what they answered.
 */
export type ReviewApplied = 'applied' | 'not_open' | 'changed' | boolean;

/** Short work against the store. */
export interface StoreActivities {
  takePermit(input: { readonly ref: RunRef; readonly attempt: number }): Promise<boolean>;
  land(input: LandInput): Promise<LandOutput>;
  /** Runs the spec's templates over the text; true when one found at least one field. */
  extractFallback(ref: RunRef): Promise<boolean>;
  keepBestEffort(ref: RunRef): Promise<void>;
  applyReview(input: { readonly subject: string; readonly eventId: string }): Promise<ReviewApplied>;
  escalateReview(subject: string): Promise<void>;
}

/** Work on many runs, and on those that were lost. Runs in the store's queue. */
export interface UpkeepActivities {
  redriveStep(step: RedriveStep): Promise<RedriveStepped>;
  batchStep(step: BatchStep): Promise<BatchStepped>;
  reconcile(ask: ReconcileAsk): Promise<Reconciled>;
  sweepSome(from: SweepPoint | null): Promise<SweptSome>;
}

/** `details[0]` of the ApplicationFailure that ends an attempt without a report. */
export interface FaultDetails {
  readonly tokens: number;
  readonly cost: { readonly amount: string; readonly currency: string };
  readonly known: boolean;
}
