import type { FailureClass } from '../../domain/failure-class.js';
import type { Reason } from '../../domain/reason.js';
import type { DeadLetter, DeadLetterGroup } from '../../ports/dead-letter-store.js';
import { instant } from './instant.js';

/** A parked run. Its id is the extraction's, so it can be shown and redriven by it. */
export interface DeadLetterView {
  readonly id: string;
  readonly run: number;
  readonly state: 'parked' | 'redriven' | 'recovered';
  readonly reason: Reason;
  readonly failureClass: FailureClass | null;
  readonly spec: string;
  readonly schemaVersion: string;
  readonly promptVersion: string;
  readonly tenant: string;
  readonly documentHash: string;
  readonly fileName: string | null;
  readonly tags: readonly string[];
  readonly at: string;
}

/** Parked runs that failed alike. */
export interface DeadLetterGroupView {
  readonly spec: string;
  readonly reason: Reason;
  readonly failureClass: FailureClass | null;
  readonly schemaVersion: string;
  readonly promptVersion: string;
  readonly count: number;
  readonly oldestAt: string;
}

export function viewDeadLetter(row: DeadLetter): DeadLetterView {
  return {
    id: row.key,
    run: row.run,
    state: row.state,
    reason: row.reason,
    failureClass: row.failureClass,
    spec: row.specId,
    schemaVersion: row.schemaVersion,
    promptVersion: row.promptVersion,
    tenant: row.tenant,
    documentHash: row.documentHash,
    fileName: row.fileName,
    tags: row.tags,
    at: instant(row.at),
  };
}

export function viewDeadLetterGroup(row: DeadLetterGroup): DeadLetterGroupView {
  return {
    spec: row.specId,
    reason: row.reason,
    failureClass: row.failureClass,
    schemaVersion: row.schemaVersion,
    promptVersion: row.promptVersion,
    count: row.count,
    oldestAt: instant(row.oldestAt),
  };
}
