import type { RunRef } from '../domain/extraction-input.js';
import type { FailureClass } from '../domain/failure-class.js';
import type { Policy } from '../domain/policy.js';
import type { Reason } from '../domain/reason.js';
import type { Page, PageRequest } from './page.js';

/** A parked run: one per key. */
export interface DeadLetter extends RunRef {
  readonly reason: Reason;
  readonly failureClass: FailureClass | null;
  readonly policy: Policy;
  readonly tags: readonly string[];
  readonly fileName: string | null;
  readonly at: number;
  /** Null while parked; `recovered` once a later run of the subject verified; `redriven` while a new run is under way. */
  readonly state: 'parked' | 'redriven' | 'recovered';
}

export interface DeadLetterFilter {
  readonly tenant?: string;
  readonly specId?: string;
  readonly reason?: Reason;
  readonly failureClass?: FailureClass;
  readonly promptVersion?: string;
  readonly schemaVersion?: string;
  /** Default: parked only. */
  readonly state?: 'parked' | 'redriven' | 'recovered';
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

export interface DeadLetterStore {
  /** `key` may be a unique prefix of at least 8 characters. */
  find(key: string): Promise<DeadLetter | null>;
  /** Oldest first, so that a redrive works off the backlog in order. */
  list(filter: DeadLetterFilter, page: PageRequest): Promise<Page<DeadLetter>>;
  /** Parked ones only, most first. */
  groups(filter: DeadLetterFilter): Promise<readonly DeadLetterGroup[]>;
  /** Marks a parked letter as redriven; false when it was not parked (any more), so that two redrives start one run. */
  take(key: string, at: number): Promise<boolean>;
  /** Parks it again: the redrive could not start. */
  giveBack(key: string): Promise<void>;
}
