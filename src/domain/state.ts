import type { ContradictionRef, ProblemRef } from './attempt-report.js';
import type { Ending, Feedback } from './decision.js';
import type { FailureClass } from './failure-class.js';
import type { Money } from './money.js';
import type { Policy } from './policy.js';

/** What is remembered of an attempt that brought a whole candidate: hashes and rule ids, never a value. */
export interface WholeCandidate {
  readonly hash: string;
  /** The failing-rule set: each rule and pointer once, sorted, so that equal sets are equal text. */
  readonly failing: readonly ProblemRef[];
  readonly contradiction: ContradictionRef | null;
}

/** The repair budget's answer for one attempt number. It stays valid over a wait. */
interface Permit {
  readonly attempt: number;
  readonly granted: boolean;
}

/**
 * All that decides about a run. Plain JSON data: equal states decide equally, and a state that went
 * through JSON and back is the same state.
 */
export interface ExtractionState {
  readonly policy: Policy;
  readonly deadlineAt: number;
  /** Attempt cap in force: starts as the policy's, is only ever lowered, never below 1. */
  readonly cap: number;
  /** Attempts that reported. An attempt that failed on the way is not one. */
  readonly attempts: number;
  /** Tokens of all calls so far, failed ones included; upper estimates where usage is unknown. */
  readonly tokens: number;
  /** Cost of all calls so far, one sum per currency. */
  readonly money: readonly Money[];
  /** What of these the attempts that reported took. The one under way tells anew, each time, all that it took so far. */
  readonly settled: { readonly tokens: number; readonly money: readonly Money[] };
  /** This document's slowest attempt so far; 0 before the first report. */
  readonly slowestMs: number;
  /** Token ceiling of the next attempt. */
  readonly maxTokens: number;
  /** The ceiling that cut the last reply off; equal to `maxTokens` when the last reply was not cut off. */
  readonly cutAtTokens: number;
  /** What the next attempt tells the model. */
  readonly feedback: Feedback;
  /** Class of the last rejected attempt. */
  readonly lastClass: FailureClass | null;
  /** Hash of the last reply that could not be parsed. */
  readonly lastUnparsedHash: string | null;
  /** Every whole candidate so far, oldest first. */
  readonly candidates: readonly WholeCandidate[];
  readonly permit: Permit | null;
  /** What is left of the outage patience. */
  readonly patienceLeftMs: number;
  /** Set while a provider outage is sat out: when to try the same attempt again. */
  readonly resumeAt: number | null;
  readonly cancelRequested: boolean;
  readonly batchBudgetExhausted: boolean;
  /** Set once an event ended the run; from then on no event changes anything. */
  readonly ending: Ending | null;
}
