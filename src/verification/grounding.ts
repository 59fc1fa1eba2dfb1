import type { Evidence } from './evidence.js';

/** What looking for values in a document's text layer came to. */
export interface Grounding {
  readonly evidence: readonly Evidence[];
  /** Pointers of values that could not be looked for, because there is no text layer. */
  readonly ungrounded: readonly string[];
}
