import type { FailureClass } from '../domain/failure-class.js';
import type { Money } from '../domain/money.js';
import type { Reason } from '../domain/reason.js';
import type { RouteName } from '../domain/route.js';
import type { Page, PageRequest } from './page.js';

/** How many evaluations of one version are kept: adding one more takes the oldest away. */
export const evaluationsKept = 100;

/** How one version of a spec did on one truth set: counts and references, nothing that a document or a truth said. */
export interface KeptEvaluation {
  readonly id: string;
  readonly specId: string;
  readonly schemaVersion: string;
  readonly promptVersion: string;
  /** Its runs are this tenant's, for as long as they are kept. */
  readonly tenant: string;
  /** SHA-256 over documents and true records: only evaluations on the same one can be compared. */
  readonly truthSet: string;
  readonly providers: readonly string[];
  readonly models: readonly string[];
  /** When the first of its runs began, and the last one ended. */
  readonly beganAt: number;
  readonly endedAt: number;
  readonly documents: number;
  /** Documents verified after at most so many attempts. */
  readonly curve: readonly { readonly attempts: number; readonly verified: number }[];
  readonly right: number;
  /** Verified, with the pointers of the fields in which the record is not the true one. */
  readonly wrong: readonly { readonly extractionId: string; readonly differs: readonly string[] }[];
  /** Verified, but no true record is known. */
  readonly unjudged: number;
  /** By field, in the order of the spec: in how many of the records that could be compared it is right. */
  readonly fields: readonly { readonly pointer: string; readonly right: number; readonly of: number }[];
  /** Where the rest landed, and the classes it stopped with; most first. */
  readonly landed: readonly {
    readonly reason: Reason;
    readonly route: RouteName | null;
    readonly documents: number;
  }[];
  readonly classes: readonly { readonly failureClass: FailureClass; readonly documents: number }[];
  readonly calls: number;
  readonly tokens: number;
  readonly cost: readonly Money[];
}

export interface EvaluationFilter {
  readonly specId?: string;
  readonly schemaVersion?: string;
  readonly promptVersion?: string;
  readonly truthSet?: string;
  readonly tenant?: string;
}

export interface EvaluationStore {
  /** Keeps it, and of its version the newest `evaluationsKept`. The same id again changes nothing. */
  add(evaluation: KeptEvaluation): Promise<void>;
  /** `id` may be a unique prefix of at least 8 characters. */
  find(id: string): Promise<KeptEvaluation | null>;
  /** The newest one of each version that was ever evaluated. */
  latest(filter: EvaluationFilter): Promise<readonly KeptEvaluation[]>;
  /** Newest first. */
  list(filter: EvaluationFilter, page: PageRequest): Promise<Page<KeptEvaluation>>;
}
