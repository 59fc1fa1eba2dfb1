import type { Policy } from './policy.js';

/** Names one run of one document under one spec. Hashes and labels only: it enters workflow history. */
export interface RunRef {
  readonly key: string;
  readonly run: number;
  readonly subject: string;
  readonly tenant: string;
  readonly documentHash: string;
  readonly specId: string;
  readonly schemaVersion: string;
  readonly promptVersion: string;
}

/** Input of the extraction workflow. */
export interface ExtractionInput extends RunRef {
  readonly policy: Policy;
  readonly tags: readonly string[];
  readonly batchId: string | null;
  /** True when the batch's money is gone: the run ends as `batch_budget` without a call. */
  readonly batchBudgetGone: boolean;
  /** How a review of this document is timed, should it come to one. */
  readonly reviewSlaMs: number;
}

/** What a running extraction answers to the `progress` query and shows in its current details. */
export interface RunProgress {
  readonly key: string;
  readonly run: number;
  readonly attemptsMade: number;
  readonly cap: number;
  readonly tokens: number;
  readonly deadlineAt: number;
  readonly phase: 'attempting' | 'waiting' | 'landing' | 'ended';
}
