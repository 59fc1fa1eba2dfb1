import type { ProblemRef } from '../domain/attempt-report.js';

/** One broken rule, with the texts a model or a person needs. Lives in the store, never in workflow history. */
export interface Problem extends ProblemRef {
  readonly message: string;
  /** What would have satisfied the rule, where the rule can say. */
  readonly expected: string | null;
  /** What the candidate held. */
  readonly found: string | null;
}
