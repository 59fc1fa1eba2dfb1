import type { FailureClass } from '../../domain/failure-class.js';
import type { Policy } from '../../domain/policy.js';
import type { Reason } from '../../domain/reason.js';
import type { DeadLetter, DeadLetterGroup, LetterState } from '../../ports/dead-letter-store.js';
import { instant } from './instant.js';

/** A parked run. Its id is the extraction's, so it can be shown and redriven by it. */
export interface DeadLetterView {
  readonly id: string;
  readonly run: number;
  readonly state: LetterState;
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
  /** The run that its last redrive led to; null when it was never redriven. */
  readonly redrivenInto: { readonly id: string; readonly run: number } | null;
}

/** One with the bounds it ran under, which hold again when it is redriven under the same versions. */
export interface DeadLetterDetail extends DeadLetterView {
  readonly policy: Policy;
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
    redrivenInto: row.redrivenInto === null ? null : { id: row.redrivenInto.key, run: row.redrivenInto.run },
  };
}

export function viewDeadLetterDetail(row: DeadLetter): DeadLetterDetail {
  return { ...viewDeadLetter(row), policy: row.policy };
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
