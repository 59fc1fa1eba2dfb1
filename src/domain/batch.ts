import type { Reason } from './reason.js';

/**
 * `collecting`: documents are still being handed in; `running`; `stopping`: cancelled, and what is under way goes on to
 * its end; `cancelled`: nothing of it is under way, some documents were never begun; `finished`: every document has ended.
 */
export const batchStates = ['collecting', 'running', 'stopping', 'cancelled', 'finished'] as const;
export type BatchState = (typeof batchStates)[number];

/**
 * How a document of a batch came by its run. `own`: the batch started it; `followed`: it was under way already; `known`:
 * it had ended before; `repeated`: another document of this batch has the same bytes; `refused`: none could be started.
 */
export const batchParts = ['own', 'followed', 'known', 'repeated', 'refused'] as const;
export type BatchPart = (typeof batchParts)[number];

/** Tokens and attempts are those of the batch's own runs only: what others pay for is not its spending. */
export interface BatchCount {
  /** Not begun yet. */
  readonly waiting: number;
  /** Under way: runs it started itself, and others that it follows. */
  readonly underWay: number;
  readonly ownUnderWay: number;
  readonly verified: number;
  readonly unverified: Readonly<Partial<Record<Reason, number>>>;
  readonly refused: number;
  /** Documents by how they came by their run, begun or ended. */
  readonly parts: Readonly<Record<BatchPart, number>>;
  /** Own runs that have ended, with what they cost and the attempts they made. */
  readonly completed: number;
  readonly completedTokens: number;
  readonly completedAttempts: number;
  /** Spent in all: of runs under way, the calls that have ended. */
  readonly tokens: number;
  /** Attempts that own runs under way may still make beyond the one each is at. */
  readonly beyond: number;
  /** The dearest document so far, by attempt. */
  readonly largestAttemptTokens: number;
}

/** What a batch is asked to do. Labels and counts only: it enters workflow history. */
export interface BatchOrder {
  readonly id: string;
  readonly tenant: string;
  readonly specId: string;
  readonly documents: number;
  readonly inFlight: number;
  /** The cap to begin with: the spec's, or where a batch that goes on had lowered it to. */
  readonly cap: number;
  /** Null: as much as it takes. */
  readonly budgetTokens: number | null;
  /** What one attempt may cost, before any was made. */
  readonly attemptTokens: number;
  /** Epoch ms; null: none. */
  readonly deadlineAt: number | null;
}

/** What is done with runs under way when a batch is cancelled. */
export type BatchCancel = 'let_finish' | 'cancel_runs';

/** One piece of a batch: look how its runs fare, then fill the places that are free. */
export interface BatchStep {
  readonly order: BatchOrder;
  /** The cap in force; 0: the budget is gone, and what begins ends as `batch_budget` without a call. */
  readonly cap: number;
  /** Runs under way that it started are told: the cap, or to stop. */
  readonly tells: boolean;
  /** Set once it is cancelled: nothing begins. */
  readonly cancel: BatchCancel | null;
}

export interface BatchStepped {
  readonly count: BatchCount;
  /** Set by the last step: the batch is over. */
  readonly ended: 'finished' | 'cancelled' | null;
}

/** How a batch fares, as its workflow tells. */
export interface BatchProgress {
  readonly id: string;
  readonly state: BatchState;
  readonly documents: number;
  readonly cap: number;
  /** Null before the first look. */
  readonly count: BatchCount | null;
}
