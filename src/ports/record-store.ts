import type { NormalisationCount } from '../domain/attempt-report.js';
import type { RunRef } from '../domain/extraction-input.js';
import type { Evidence } from '../verification/evidence.js';
import type { Problem } from '../verification/problem.js';
import type { StoredJson } from './attempt-store.js';
import type { Page, PageRequest } from './page.js';

export const verificationStatuses = [
  'verified',
  'human_verified',
  'fallback',
  'best_effort',
  'needs_review',
  'rejected',
] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];

/** What a person made of a record: stood for one, or for none. */
export type PersonStatus = Extract<VerificationStatus, 'human_verified' | 'rejected'>;

export interface StoredRecord extends RunRef {
  readonly status: VerificationStatus;
  readonly record: StoredJson;
  readonly evidence: readonly Evidence[];
  readonly ungrounded: readonly string[];
  readonly unmet: readonly Problem[];
  readonly normalisations: readonly NormalisationCount[];
  readonly verifierVersion: string;
  /** Template that produced a fallback record; null otherwise. */
  readonly template: string | null;
  readonly at: number;
}

export interface RecordFilter {
  /** Left out: of all tenants but those of evaluations. */
  readonly tenant?: string;
  readonly specId?: string;
  readonly subject?: string;
  /** Default: verified and human_verified only, and only the current record of each subject. */
  readonly statuses?: readonly VerificationStatus[];
  /** Recorded at this instant or later. */
  readonly since?: number;
}

export interface RecordStore {
  /**
   * Upsert on (key, where it came from): a fallback or best-effort record with its outbox event. Never touches verified
   * ones, and keeps nothing of an erased document.
   */
  put(record: StoredRecord): Promise<void>;
  /** The current verified record of a subject; a person's wins over a machine's, then the newest. */
  current(subject: string): Promise<StoredRecord | null>;
  /** Of these keys, those that a person settled, and how. */
  settledByPerson(keys: readonly string[]): Promise<ReadonlyMap<string, PersonStatus>>;
  /** All records of a key, whatever their status. */
  ofKey(key: string): Promise<readonly StoredRecord[]>;
  list(filter: RecordFilter, page: PageRequest): Promise<Page<StoredRecord>>;
  /**
   * All that `list` shows, newest first, as it was at one instant: what is written meanwhile neither comes in nor takes
   * the place of what is there. In parts of a bounded size, each read when it is asked for.
   */
  stream(filter: RecordFilter): AsyncIterable<readonly StoredRecord[]>;
}
