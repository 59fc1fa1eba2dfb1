import type { ContradictionRef } from './attempt-report.js';
import type { FailureClass } from './failure-class.js';
import type { Lane } from './lane.js';
import type { Reason } from './reason.js';

/** What the next call tells the model about the last failure. */
export type Feedback =
  | { readonly kind: 'none' }
  /** "Reply with exactly one JSON value": after parse, empty or an unknown stop reason. */
  | { readonly kind: 'format' }
  /** The problems of that attempt, rendered from the store by the activity. */
  | { readonly kind: 'problems'; readonly ofAttempt: number };

export interface AttemptDecision {
  readonly kind: 'attempt';
  readonly attempt: number;
  readonly lane: Lane;
  readonly model: string;
  readonly maxTokens: number;
  readonly feedback: Feedback;
  readonly estimateMs: number;
}

/** Ask the repair budget for this attempt's permit, then decide again. */
export interface PermitDecision {
  readonly kind: 'permit';
  readonly attempt: number;
}

/** Sit out a provider outage, then decide again; the attempt number stays. */
export interface WaitDecision {
  readonly kind: 'wait';
  readonly pauseMs: number;
}

export interface LandDecision {
  readonly kind: 'land';
  readonly ending: Ending;
}

export type Decision = AttemptDecision | PermitDecision | WaitDecision | LandDecision;

/** How a run ended. It never changes afterwards. */
export type Ending =
  | { readonly kind: 'verified'; readonly attempts: number }
  | {
      readonly kind: 'unverified';
      readonly attempts: number;
      readonly reason: Reason;
      /** Class of the last rejected attempt; null when no reply was read. */
      readonly failureClass: FailureClass | null;
      readonly diagnosis: Diagnosis | null;
      /** Attempts that brought a reply of any class: zero makes a deadline systemic. */
      readonly repliesRead: number;
    };

/** What keeps the document from verifying: ids, a pointer, a stable word; never a value. */
export type Diagnosis =
  | ({ readonly kind: 'contradiction' } & ContradictionRef)
  | { readonly kind: 'oscillation'; readonly rules: readonly string[] }
  /** What is wrong with the document's bytes: empty, too_large, mislabelled, encrypted, corrupt, missing. */
  | { readonly kind: 'unreadable'; readonly fault: string };
