import type { ContradictionRef } from '../domain/attempt-report.js';
import type { Evidence } from './evidence.js';
import type { Problem } from './problem.js';

/** Two rules proved jointly unsatisfiable for this record, in words a rule owner understands. */
export interface Contradiction extends ContradictionRef {
  readonly values: readonly [string, string];
  readonly explanation: string;
}

/** What verifying one candidate came to. */
export type Verdict =
  | {
      readonly kind: 'holds';
      readonly evidence: readonly Evidence[];
      /** Pointers of values that no text layer could ground. */
      readonly ungrounded: readonly string[];
    }
  | {
      readonly kind: 'broken';
      readonly problems: readonly Problem[];
      readonly repairable: boolean;
      readonly contradiction: Contradiction | null;
      readonly evidence: readonly Evidence[];
      readonly ungrounded: readonly string[];
    }
  /** A rule threw: our fault, never the model's. */
  | { readonly kind: 'fault'; readonly rule: string; readonly message: string };
