import type { BatchCount, BatchPart, BatchState } from '../domain/batch.js';
import type { Policy } from '../domain/policy.js';
import type { Reason } from '../domain/reason.js';
import type { RunId } from '../domain/redrive.js';
import type { Extraction, NewExtraction } from './extraction-store.js';
import type { BatchAnswer, RequestKey } from './idempotency-store.js';
import type { Page, PageRequest } from './page.js';

/** A batch as it is created. Everything that its runs need is frozen here, so that a worker runs them as they were asked. */
export interface NewBatch {
  readonly id: string;
  readonly tenant: string;
  readonly name: string | null;
  readonly specId: string;
  readonly schemaVersion: string;
  readonly promptVersion: string;
  /** The bounds of each run. */
  readonly policy: Policy;
  readonly tags: readonly string[];
  /** Documents that have ended unverified are run again. */
  readonly redrive: boolean;
  readonly inFlight: number;
  readonly budgetTokens: number | null;
  /** From when it begins to when its last run must have ended; null: none. */
  readonly deadlineMs: number | null;
  readonly at: number;
}

/** What documents were handed in to. */
export type BatchCollected = Pick<NewBatch, 'id' | 'at'>;

/** Who has a batch begin: a request that is answered once, somebody who has handed all its documents in, or neither. */
export interface BatchBeginning {
  readonly once?: RequestKey & Pick<BatchAnswer, 'content'>;
  readonly collected?: BatchCollected;
}

export interface Batch extends NewBatch {
  readonly state: BatchState;
  /** The attempt cap in force; 0: the budget is gone. */
  readonly cap: number;
  /** How many it has; null while they are handed in. */
  readonly documents: number | null;
  readonly beganAt: number | null;
  readonly deadlineAt: number | null;
  readonly endedAt: number | null;
}

/** One document handed in. `item` names it within its batch: the same item again is the same document. */
export interface NewBatchDocument {
  readonly item: string;
  readonly key: string;
  readonly subject: string;
  readonly documentHash: string;
  readonly fileName: string | null;
  /** Beside those of the batch. */
  readonly tags: readonly string[];
}

export interface BatchDocument extends NewBatchDocument {
  /** In the order in which they were handed in. */
  readonly position: number;
  /** `starting`: its run is opened, and its workflow may not be there yet. */
  readonly state: 'waiting' | 'starting' | 'running' | 'ended';
  readonly part: BatchPart | null;
  readonly run: number | null;
  readonly outcome: 'verified' | 'unverified' | null;
  readonly reason: Reason | null;
  /** Of its run, whoever started it. */
  readonly attempts: number;
  /** What it cost this batch: 0 when another one started its run. */
  readonly tokens: number;
  /** Its place among those that ended, in the order in which that was seen; null until then. */
  readonly ended: number | null;
}

export interface BatchDocumentFilter {
  readonly state?: BatchDocument['state'];
  readonly outcome?: 'verified' | 'unverified';
  readonly reason?: Reason;
}

/** `own`: a run was opened, to be started; else nothing is to be done for it. */
export interface BatchTaking {
  readonly part: BatchPart;
  readonly extraction: Extraction;
}

/** How a batch went, or goes: what its own runs burnt, in parts of equal length, and when its cap changed. */
export interface BatchCourse {
  /** Documents that ended within a part, by its last ending; parts in which none did are left out. */
  readonly ended: readonly { readonly at: number; readonly documents: number; readonly tokens: number }[];
  /** The cap that held from each instant on; before the first, that of the policy. */
  readonly caps: readonly { readonly at: number; readonly cap: number }[];
}

/** Ids name one batch in all tenants. */
export interface BatchStore {
  /** Does nothing when there is one of this id. Answers with the one there is. */
  create(batch: NewBatch): Promise<Batch>;
  find(id: string): Promise<Batch | null>;
  /** By its id, or by a beginning of at least 8 characters that no other has. */
  findNamed(name: string): Promise<Batch | null>;
  /** Newest first. */
  list(
    filter: {
      readonly tenant?: string;
      readonly specId?: string;
      /** One, or any of several. */
      readonly state?: BatchState | readonly BatchState[];
    },
    page: PageRequest,
  ): Promise<Page<Batch>>;
  /**
   * For somebody who hands all documents in once more: forgets those of one that is still collecting, and has it begin
   * at another instant, so that whoever handed in before is told. Answers with the batch as it is then.
   */
  collectAnew(id: string, at: number): Promise<Batch>;
  /**
   * Hands documents in, in this order; those whose item it has are left as they are. False: it is not collecting, or
   * somebody has had it collect anew since.
   */
  add(batch: BatchCollected, documents: readonly NewBatchDocument[]): Promise<boolean>;
  /**
   * No document is added any more, and it runs: from `collecting` for the first time, from `cancelled` or `stopping`
   * again, within the deadline of the first time. One that runs or has finished is left as it is. Kept as the answer of
   * the request `once`, which handed in documents of this `content`. Nothing happens when it was created at another
   * instant than the one that was `collected`.
   */
  begin(id: string, at: number, by?: BatchBeginning): Promise<Batch>;
  /** Forgets one that is still collecting, unless somebody has had it collect anew since. */
  discard(batch: BatchCollected): Promise<void>;
  /** From its beginning to its end, or to this instant. */
  course(id: string, parts: number, at: number): Promise<BatchCourse>;
  /** Notes where it stands. `endedAt` is set by `cancelled` and `finished`. */
  note(id: string, state: BatchState, cap: number, at: number): Promise<void>;
  /** Writes down which of the runs under way have ended, and how. */
  settle(id: string): Promise<void>;
  /** `cap`: in force, for what runs under way may still do. */
  count(id: string, cap: number): Promise<BatchCount>;
  /** The first that have not begun. */
  waiting(id: string, limit: number): Promise<readonly BatchDocument[]>;
  /** Those whose run a lost step may have opened without starting it. */
  starting(id: string): Promise<readonly BatchDocument[]>;
  /**
   * Begins a waiting document: opens its run, or finds the one there is, and writes that down, both or neither. A run
   * that this batch opened is never opened again. Null when it is not waiting any more.
   */
  take(id: string, item: string, into: NewExtraction, redrive: boolean): Promise<BatchTaking | null>;
  /** Its workflow is there. */
  started(id: string, item: string): Promise<void>;
  /** No run can be started for it. */
  refuse(id: string, item: string): Promise<void>;
  /** Runs under way that the batch started. */
  ownRuns(id: string): Promise<readonly RunId[]>;
  /** In the order in which they were handed in. */
  documents(id: string, filter: BatchDocumentFilter, page: PageRequest): Promise<Page<BatchDocument>>;
  /** Documents that ended after the one of this place (0: all), in order. */
  endedAfter(id: string, place: number, limit: number): Promise<readonly BatchDocument[]>;
}
