import type { RunRef } from '../domain/extraction-input.js';
import type { FailureClass } from '../domain/failure-class.js';
import type { Policy } from '../domain/policy.js';
import type { Reason } from '../domain/reason.js';
import type { LetterSelection, RunId } from '../domain/redrive.js';
import type { NewExtraction, Opening } from './extraction-store.js';
import type { Page, PageRequest } from './page.js';

/**
 * `redriven`: a later run took over, under whichever version; where that one went is said by its own row. `recovered`: a
 * later run of the subject verified, or a person decided it.
 */
export const letterStates = ['parked', 'redriven', 'recovered'] as const;
export type LetterState = (typeof letterStates)[number];

/** A parked run: one per key. */
export interface DeadLetter extends RunRef {
  readonly reason: Reason;
  readonly failureClass: FailureClass | null;
  readonly policy: Policy;
  readonly tags: readonly string[];
  readonly fileName: string | null;
  readonly at: number;
  readonly state: LetterState;
  /** The run that its last redrive led to; null when it was never redriven. */
  readonly redrivenInto: RunId | null;
}

export interface DeadLetterFilter extends LetterSelection {
  /** Default: parked only. */
  readonly state?: LetterState;
  /** Only those parked at this instant or before. */
  readonly parkedUpTo?: number;
  /** Only those that no run of this batch is about: a redrive leaves alone what it has run already. */
  readonly notOfBatch?: string;
}

export interface DeadLetterGroup {
  readonly specId: string;
  readonly reason: Reason;
  readonly failureClass: FailureClass | null;
  readonly promptVersion: string;
  readonly schemaVersion: string;
  readonly count: number;
  readonly oldestAt: number;
}

/** `not_parked`: it is not (any more), or this batch has run it already; nothing was opened. Else as when a run is opened. */
export type Taking = Opening | { readonly kind: 'not_parked' };

/** Letters whose redrive was found to have come to nothing, or to a record. */
export interface SettledLetters {
  readonly parked: number;
  readonly recovered: number;
}

export interface DeadLetterStore {
  /** `key` may be a unique prefix of at least 8 characters. */
  find(key: string): Promise<DeadLetter | null>;
  /** Oldest first, so that a redrive works off the backlog in order. */
  list(filter: DeadLetterFilter, page: PageRequest): Promise<Page<DeadLetter>>;
  /** Parked ones only, most first. */
  groups(filter: LetterSelection): Promise<readonly DeadLetterGroup[]>;
  /**
   * Takes a parked letter and opens the run it is redriven into, both or neither, so that of any number of redrives one
   * starts a run. Where that run is verified already (`closed`), the letter is recovered instead.
   */
  take(key: string, into: NewExtraction): Promise<Taking>;
  /**
   * Looks at letters that were taken before this instant and at what became of their runs: under way, they are left;
   * verified, the letter is recovered; cancelled, or never opened, it is parked again; ended anywhere else, that run's
   * own row says where. At most a thousand at once; both counts 0 and `more` false when nothing is left to look at.
   */
  settle(takenBefore: number): Promise<SettledLetters & { readonly more: boolean }>;
}
