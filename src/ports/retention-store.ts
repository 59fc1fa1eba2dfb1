/** What is kept of one document, in counts. */
export interface Holdings {
  readonly tenant: string;
  readonly documentHash: string;
  /** When it was last handed in; null when its bytes are not kept. */
  readonly storedAt: number | null;
  readonly extractions: number;
  /** Of these, still running. */
  readonly running: number;
  readonly records: number;
  readonly openReviews: number;
  /** When it was erased last; null when it never was. */
  readonly erasedAt: number | null;
}

/** What an erasure took away; nothing of it when there was nothing left. */
export interface Erasure {
  readonly bytes: boolean;
  /** Extractions whose texts went. */
  readonly extractions: number;
  readonly records: number;
  /** Reviews that were open. */
  readonly reviews: number;
  /** Subjects that a person was ever asked about: a review of theirs that still waits has nothing to show. */
  readonly subjects: readonly string[];
}

/** How long a tenant's documents are kept. */
export interface RetentionRule {
  readonly tenant: string;
  /** Since they were last handed in. */
  readonly documentDays: number;
  /** Verified records, since they were made: never less than the documents. Null: kept. */
  readonly recordDays: number | null;
  readonly setAt: number;
}

/** Where a sweep goes on; null when it is through. */
export type SweepPlace = { readonly at: number; readonly name: string } | null;

/** One bounded step of a sweep. */
export interface SweepStep {
  readonly erased: number;
  /** Old enough, but still in use. */
  readonly kept: number;
  readonly next: SweepPlace;
}

/** A step looks at one tenant's oldest, `after` where the step before ended. */
export interface SweepAsk {
  readonly tenant: string;
  readonly before: number;
  readonly after: SweepPlace;
  readonly at: number;
}

export interface RetentionStore {
  /** Null when this tenant has neither the document nor an extraction of it. */
  holdings(tenant: string, documentHash: string): Promise<Holdings | null>;
  /** Every tenant that keeps anything of these bytes, by name: a document is each tenant's own. */
  holders(documentHash: string): Promise<readonly string[]>;
  /**
   * One transaction: the document's bytes, and of all its extractions the candidates, evidence, feedback, words of
   * problems, records, dead letters, file names, and what people wrote in reviews. Open reviews are withdrawn. What is
   * left are counts, rule ids and hashes. A run that is under way can add nothing any more. Erasing again is harmless.
   */
  erase(tenant: string, documentHash: string, at: number): Promise<Erasure>;

  /**
   * Removes from object storage what no document names any more, some at a time; how many. What is erased while the
   * storage is down is removed the next time. 0 when all bytes are in the database.
   */
  removeLooseObjects(at: number): Promise<number>;

  /** By tenant. */
  rules(): Promise<readonly RetentionRule[]>;
  set(rule: RetentionRule): Promise<void>;
  /** False when the tenant had none. */
  unset(tenant: string): Promise<boolean>;

  /** Erases documents last handed in before `before`, verified records apart, unless a run or a review of them is open. */
  forgetDocuments(ask: SweepAsk): Promise<SweepStep>;
  /** Removes verified records made before `before` whose document is no longer kept. */
  forgetRecords(ask: SweepAsk): Promise<SweepStep>;
}
