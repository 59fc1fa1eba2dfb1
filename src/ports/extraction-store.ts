import type { Diagnosis, Ending } from '../domain/decision.js';
import type { RunRef } from '../domain/extraction-input.js';
import type { FailureClass } from '../domain/failure-class.js';
import type { Money } from '../domain/money.js';
import type { Policy } from '../domain/policy.js';
import type { Reason } from '../domain/reason.js';
import type { BatchTally } from '../domain/redrive.js';
import type { RouteName } from '../domain/route.js';
import type { RequestKey } from './idempotency-store.js';
import type { Page, PageRequest } from './page.js';

/** One run of one document under one spec, as stored. */
export interface Extraction extends RunRef {
  readonly state: 'open' | 'closed';
  readonly outcome: 'verified' | 'unverified' | null;
  readonly reason: Reason | null;
  readonly failureClass: FailureClass | null;
  readonly diagnosis: Diagnosis | null;
  readonly route: RouteName | null;
  readonly attempts: number;
  /** Sums over the run's call rows, open and failed calls included. */
  readonly calls: number;
  readonly tokens: number;
  readonly cost: Money;
  readonly policy: Policy;
  readonly tags: readonly string[];
  readonly batchId: string | null;
  readonly fileName: string | null;
  /** Which server gave the run's last answer, by the word of the worker that asked it; null while none answered. */
  readonly provider: string | null;
  /** The model that answer came from; null while none answered. */
  readonly model: string | null;
  readonly startedAt: number;
  readonly deadlineAt: number;
  readonly closedAt: number | null;
  /** When what its document said was taken away: since then only counts are left. Null: it is all there. */
  readonly erasedAt: number | null;
}

export interface NewExtraction extends Omit<RunRef, 'run'> {
  readonly policy: Policy;
  readonly tags: readonly string[];
  readonly batchId: string | null;
  readonly fileName: string | null;
  readonly at: number;
}

/** `opened`: a new run; `running`: the key has an open run, attach to it; `closed`: it has ended, here is how. */
export type Opening = { readonly kind: 'opened' | 'running' | 'closed'; readonly extraction: Extraction };

export interface ExtractionFilter {
  /** Left out: of all tenants but those of evaluations. */
  readonly tenant?: string;
  /** Of all tenants, those of evaluations too. */
  readonly withEvaluations?: true;
  readonly state?: 'open' | 'closed';
  readonly outcome?: 'verified' | 'unverified';
  readonly reason?: Reason;
  readonly failureClass?: FailureClass;
  readonly route?: RouteName;
  readonly specId?: string;
  readonly promptVersion?: string;
  readonly batchId?: string;
  readonly tag?: string;
  /** Only those whose document's name begins with it, in capitals or not. */
  readonly file?: string;
  /** Only those of so many attempts, both included: those that are open have none yet. */
  readonly attemptsFrom?: number;
  readonly attemptsTo?: number;
  /** Only those that were opened at this instant or later. */
  readonly startedFrom?: number;
  /** Only those that were opened before this instant. */
  readonly startedBefore?: number;
}

/** What `land` writes: the ending, where the document goes, and what that place needs. */
export interface Landing {
  readonly ref: RunRef;
  readonly ending: Ending;
  readonly at: number;
  /** Null for `cancelled`, which goes nowhere. */
  readonly route: RouteName | null;
  /** The attempt that holds the best whole candidate; null when none was read. */
  readonly bestAttempt: number | null;
  /** Orders the review queue; null when unknown. */
  readonly amount: Money | null;
  readonly reviewDueAt: number | null;
}

/** What the row says after landing. `verified` when a late commit got there first. */
export interface Landed {
  readonly outcome: 'verified' | 'unverified';
  readonly route: RouteName | null;
  readonly extraction: Extraction;
}

export interface ExtractionStore {
  /**
   * Opens a run of the key, atomically under concurrency: at most one run of a key is open at a time.
   * A closed key is only run again when `redrive` is true and it is not verified, or when it was erased and its document
   * is here again; the run number is then one higher. What it came to is kept as the answer of the request that is named
   * `once`, in the same transaction. A new run is only opened while its tenant has fewer than `mostOpen` open ones, counted
   * exactly; null or absent: always.
   * @throws TenantFull
   */
  open(
    extraction: NewExtraction,
    redrive: boolean,
    once?: RequestKey,
    mostOpen?: number | null,
  ): Promise<Opening>;
  /** The latest run, or the given one. `key` may be a unique prefix of at least 8 characters. */
  find(key: string, run?: number): Promise<Extraction | null>;
  /** What the documents of these keys were called when their newest run began; null: nothing, or erased. */
  fileNames(keys: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /** Newest first. */
  list(filter: ExtractionFilter, page: PageRequest): Promise<Page<Extraction>>;
  /** Open runs, the oldest first. */
  oldestOpen(
    filter: Pick<ExtractionFilter, 'tenant' | 'specId' | 'promptVersion'>,
    limit: number,
  ): Promise<readonly Extraction[]>;
  /**
   * Runs that closed on their way to a fallback or a best effort of which nothing is kept, newest first: they are on it
   * still, or were ended from outside. Not those that were run again or whose subject has a verified record. `closed`
   * bounds when they closed: from, and before.
   */
  unkept(
    closed: { readonly from: number; readonly before: number },
    page: PageRequest,
  ): Promise<Page<Extraction>>;
  /**
   * Closed runs whose route is none that there is, newest first: they are on no list of anybody's. Walks all runs, so it
   * is for a person's look.
   */
  strayed(page: PageRequest): Promise<Page<Extraction>>;
  /**
   * A text that changes whenever a run opens or ends, a review is asked, taken or answered, or a letter is parked or
   * taken: what open pages are told by. Of one tenant, or of all (null). A handful of index entries, however many rows.
   */
  pulse(tenant: string | null): Promise<string>;
  /** How the runs of a batch stand; all zero when there are none. */
  tally(batchId: string): Promise<BatchTally>;
  /**
   * Closes the run by compare-and-set and, in the same transaction, stores what its route needs: the dead letter
   * (policy frozen, upsert on the key) or the review task (upsert on the subject), and the outbox event.
   * Idempotent. On a row already closed as unverified it moves the route (a fallback that found nothing). A run whose
   * document was erased meanwhile is closed and goes nowhere.
   */
  land(landing: Landing): Promise<Landed>;
}
