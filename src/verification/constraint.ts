import type { DocumentText } from './document-text.js';
import type { Evidence } from './evidence.js';
import type { FoundValue } from './grounding/placing.js';
import type { Making } from './making.js';
import type { Problem } from './problem.js';

/** What a rule may look at besides the record. */
export interface VerifyContext {
  readonly text: DocumentText | null;
  /** The last whole candidate before this one; a value that differs from it was changed by a repair. */
  readonly previous: unknown;
}

/** A finding is a problem without its rule id, which `verify` adds. */
export interface Finding extends Omit<Problem, 'rule'> {
  /** Absent: what is expected does not depend on other fields. */
  readonly computed?: Computed;
}

/** An expected value, and a message that tells it, which are only as good as the fields they were computed from. */
export interface Computed {
  /** Pointers of those fields. */
  readonly from: readonly string[];
  /** What is said instead, and without an expected value, where another rule finds one of them wrong. */
  readonly inDoubt: string;
}

/**
 * The only value of the field at `pointer` that satisfies this rule, given the rest of the record. Only: a rule that
 * several values satisfy must not name one of them, or a conflict with another rule would be claimed, not proved.
 */
export interface Wanted {
  readonly pointer: string;
  readonly value: string;
}

/** What looking for values in a document's text layer came to. */
export interface Inspection {
  readonly findings: readonly Finding[];
  readonly evidence: readonly Evidence[];
  /** What the evidence was made from, one by one: `verify` gives each value a print of its own. Absent: it stays as it is. */
  readonly found?: readonly FoundValue[];
  /** Pointers of values that could not be looked for, because there is no text layer. */
  readonly ungrounded: readonly string[];
}

/** A named truth a record must satisfy. Shape is the schema's business. */
export interface Constraint<T> {
  readonly id: string;
  readonly version: number;
  /** One sentence for prompts, pages and people. */
  readonly says: string;
  /** False for absence rules that no repair can mend. */
  readonly repairable: boolean;
  /** True for a rule that breaks when rows of a list were lost; reports count completeness by it. Absent: no. */
  readonly noticesLostRows?: boolean;
  /** How a ready-made rule was made. Absent: it is the author's own. */
  readonly made?: Making;
  check(record: T, context: VerifyContext): readonly Finding[];
  /** Used to prove contradictions; absent when the rule cannot say. */
  wanted?(record: T, context: VerifyContext): Wanted | null;
  /** In rules about printed text: what `check` finds, and where the values stand. Asked instead of `check`. */
  inspect?(record: T, context: VerifyContext): Inspection;
}
