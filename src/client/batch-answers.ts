import type { Reason } from './answers.js';

/**
 * A batch and how it fares. `stopped`: its workflow is gone; the reconciler gives it another.
 * documents = waiting + underWay + verified + unverified + refused.
 */
export interface Batch {
  readonly id: string;
  readonly name: string | null;
  readonly state: 'collecting' | 'running' | 'stopping' | 'cancelled' | 'finished' | 'stopped';
  readonly tenant: string;
  readonly spec: string;
  readonly schemaVersion: string;
  readonly promptVersion: string;
  readonly tags: readonly string[];
  /** While it is collecting: those handed in so far. */
  readonly documents: number;
  readonly waiting: number;
  readonly underWay: number;
  readonly verified: number;
  readonly unverified: number;
  readonly unverifiedBy: Readonly<Partial<Record<Reason, number>>>;
  /** No run could be started for them. */
  readonly refused: number;
  /** Documents by how they came by their run. */
  readonly runs: Readonly<Record<Exclude<BatchPart, 'refused'>, number>>;
  /** Spent by its own runs. */
  readonly tokens: number;
  readonly budgetTokens: number | null;
  /** What it comes to if the rest costs what its documents cost so far; null before any has ended, and at its end. */
  readonly projectedTokens: number | null;
  /** The cap in force for documents that begin now; 0: the budget is gone. */
  readonly attemptCap: number;
  readonly createdAt: string;
  readonly beganAt: string | null;
  readonly deadlineAt: string | null;
  readonly endedAt: string | null;
}

/**
 * How a document came by its run. `own`: the batch started it; `followed`: it was under way already; `known`: it had ended
 * before; `repeated`: another document of this batch has the same bytes; `refused`: none could be started.
 */
export type BatchPart = 'own' | 'followed' | 'known' | 'repeated' | 'refused';

export interface BatchDocument {
  readonly item: string;
  readonly fileName: string | null;
  readonly state: 'waiting' | 'running' | 'ended';
  /** Null: it has no run yet. */
  readonly part: BatchPart | null;
  readonly outcomeKind: 'verified' | 'unverified' | null;
  readonly reason: Reason | null;
  /** The extraction; its run is null while it waits. */
  readonly id: string;
  readonly run: number | null;
  readonly documentHash: string;
  readonly attempts: number;
  readonly tokens: number;
}
