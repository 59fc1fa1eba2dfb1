import type { FailureClass } from './failure-class.js';
import type { Lane } from './lane.js';
import type { Money } from './money.js';
import type { Usage } from './usage.js';

/** A broken rule by its stable id and the RFC 6901 pointer of the field it broke on. Never a value, never a text. */
export interface ProblemRef {
  readonly rule: string;
  readonly pointer: string;
}

/** Two rules that no value of the field at `pointer` can satisfy together for this record. Ids are sorted. */
export interface ContradictionRef {
  readonly rules: readonly [string, string];
  readonly pointer: string;
}

/** How a reply ended when it did not end by itself. */
export type Truncation = 'max_tokens' | 'context_window';

export interface Accepted {
  readonly kind: 'accepted';
  readonly candidateHash: string;
}

export interface Rejected {
  readonly kind: 'rejected';
  readonly failureClass: FailureClass;
  readonly problems: readonly ProblemRef[];
  /** Hash of the canonical whole candidate; null when none was read (truncated, refusal, parse, empty). */
  readonly candidateHash: string | null;
  /** Hash of the reply's bytes; null when there were none. */
  readonly replyHash: string | null;
  /** False when every problem is one that no repair can mend. */
  readonly repairable: boolean;
  readonly contradiction: ContradictionRef | null;
  readonly truncation: Truncation | null;
}

export type AttemptResult = Accepted | Rejected;

/** A named change that reading made to the bytes before they parsed, with how often. */
export interface NormalisationCount {
  readonly kind: string;
  readonly count: number;
}

/**
 * What one attempt came to: references and counts only, so it may enter workflow history.
 * The activity returns it as a success whatever the model said.
 */
export interface AttemptReport {
  readonly attempt: number;
  readonly lane: Lane;
  readonly model: string;
  readonly maxTokens: number;
  readonly promptVersion: string;
  readonly requestId: string | null;
  readonly result: AttemptResult;
  readonly normalisations: readonly NormalisationCount[];
  readonly usage: Usage | 'unknown';
  /** Tokens of all calls of this attempt, failed ones included; the upper estimate where usage is unknown. */
  readonly tokens: number;
  readonly cost: Money;
  /** The last call alone, without backoff: this feeds the estimate. */
  readonly durationMs: number;
  /** Requests on the wire, failed ones included. */
  readonly calls: number;
}
