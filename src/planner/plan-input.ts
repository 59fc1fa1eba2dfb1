import type { Money } from '../domain/money.js';

/** What is known of attempt 1, 2, ... of a spec's documents. Shares lie between 0 and 1. */
export interface AttemptFigures {
  /** C(n): share of all documents verified after this many attempts. */
  readonly cumulativePass: number;
  /** Share of all documents that make this attempt; null: all that the attempts before did not verify. */
  readonly reached: number | null;
  /** Mean time one such attempt holds a slot. */
  readonly meanMs: number;
  /** 99th percentile of a document's whole time when this is its last attempt; null when it was not measured. */
  readonly p99Ms: number | null;
  /** Share of the records which this attempt verifies that are wrong, by audit; null: nobody checked any. */
  readonly wrongShare: number | null;
  /** Tokens of one such attempt. */
  readonly tokens: number;
  /** Price of one such attempt; null when it is not known. */
  readonly cost: Money | null;
}

/** Slots that exist: one pool for all attempts, or a lane for first attempts and one for repairs. */
export type Slots =
  | { readonly kind: 'pool'; readonly pool: number }
  | { readonly kind: 'lanes'; readonly first: number; readonly repair: number };

/** Lines that a cap must not cross. Null: no such line. */
export interface PlanLimits {
  /** The last attempt must bring at least so many right records per thousand documents. */
  readonly leastRescuedPerThousand: number;
  readonly mostP99Ms: number | null;
  /** The most slots there can ever be, all lanes together. */
  readonly mostSlots: number | null;
  /** Slots are sized so that 99 of 100 attempts wait no longer than this. */
  readonly mostWaitMs: number;
}

export interface PlanInput {
  /** How many runs the figures were measured from; null for figures that come from elsewhere. */
  readonly measuredRuns: number | null;
  /** Documents per second when most arrive. */
  readonly peakPerSecond: number;
  readonly documentsPerDay: number;
  readonly attempts: readonly AttemptFigures[];
  readonly slots: Slots | null;
  /** Repairs per primary call that the repair budget allows; null: no budget. */
  readonly repairBudgetShare: number | null;
  /** Share of the exhausted documents that go to a person; null when it is not known, and then all of them count. */
  readonly reviewedShare: number | null;
  /** Documents one reviewer decides in an hour. */
  readonly reviewsPerHour: number;
  /** What one hour of a reviewer costs; null when it is not known. */
  readonly reviewerPerHour: Money | null;
  readonly limits: PlanLimits;
}
