import type { RunRef } from '../domain/extraction-input.js';
import type { FailureClass } from '../domain/failure-class.js';
import type { LeaseAct } from '../domain/lease.js';
import type { Money } from '../domain/money.js';
import type { Reason } from '../domain/reason.js';
import type { SpecLabel } from '../spec/catalogue.js';
import type { Problem } from '../verification/problem.js';
import type { StoredJson } from './attempt-store.js';
import type { Page, PageRequest } from './page.js';

export const reviewVerbs = ['approve', 'correct', 'reject', 'not_in_document', 'redrive'] as const;
export type ReviewVerb = (typeof reviewVerbs)[number];

/** `exhausted`: a document that no attempt verified. `sample`: a verified record that a person looks at too. */
export const reviewKinds = ['exhausted', 'sample'] as const;
export type ReviewKind = (typeof reviewKinds)[number];

export const reviewStates = ['open', 'decided', 'withdrawn'] as const;
export type ReviewState = (typeof reviewStates)[number];

/** A run by its name alone. */
export type RunName = Pick<RunRef, 'key' | 'run'>;

/**
 * One question to a person: one for each exhausted subject, whatever the versions, and one for each sampled record.
 * The id of an exhausted one is its subject.
 */
export interface ReviewTask extends RunRef {
  readonly id: string;
  readonly kind: ReviewKind;
  readonly state: ReviewState;
  /** Counts what was asked and answered: renewed, decided, withdrawn, reopened. A lease changes nothing about it. */
  readonly version: number;
  /** Null for a sample. */
  readonly reason: Reason | null;
  readonly failureClass: FailureClass | null;
  /** The attempt whose candidate is offered as a start; null when none was read. */
  readonly bestAttempt: number | null;
  readonly amount: Money | null;
  readonly holder: string | null;
  readonly leaseExpiresAt: number | null;
  readonly createdAt: number;
  /** Null for a sample: nobody waits for it. */
  readonly dueAt: number | null;
  readonly escalatedAt: number | null;
  readonly decidedAt: number | null;
  readonly verdict: ReviewVerb | null;
  /** The run whose success made the question needless, and who held it then. */
  readonly withdrawn: { readonly by: RunName; readonly from: string | null } | null;
}

export interface ReviewFilter {
  /** Only reviews of one of these versions of specs. */
  readonly labels?: readonly SpecLabel[];
  /** Left out: of all tenants but those of evaluations. */
  readonly tenant?: string;
  /** Of all tenants, those of evaluations too. */
  readonly withEvaluations?: true;
  readonly specId?: string;
  /** Only of these specs. */
  readonly specIds?: readonly string[];
  readonly kind?: ReviewKind;
  readonly reason?: Reason;
  readonly failureClass?: FailureClass;
  /** Held by this person; of withdrawn ones: held until then. */
  readonly holder?: string;
  readonly lease?: 'free' | 'held';
  readonly dueBefore?: number;
  readonly escalated?: boolean;
}

/** What a person wants done. Stored first; workflows only ever see its id and verb. */
export interface NewReviewDecision {
  readonly reviewId: string;
  readonly actor: string;
  readonly verb: ReviewVerb;
  /** The record the person stands for; null for reject, not_in_document and redrive. */
  readonly values: StoredJson;
  /** Why; required for reject and for an override. */
  readonly note: string | null;
  /** Rule ids the person overrides by name. */
  readonly overrides: readonly string[];
  /** The version of the question that was judged. */
  readonly version: number;
  readonly at: number;
}

export interface ReviewDecision extends Omit<NewReviewDecision, 'version'> {
  readonly eventId: string;
  readonly subject: string;
  /** The candidate as the machine left it. */
  readonly original: StoredJson;
  /** Null while it is asked for only. */
  readonly appliedAt: number | null;
}

export const reviewStepKinds = [
  'opened',
  'renewed',
  'reopened',
  'claimed',
  'extended',
  'released',
  'expired',
  'stolen',
  'escalated',
  'decided',
  'withdrawn',
] as const;
export type ReviewStepKind = (typeof reviewStepKinds)[number];

/** One line of a review's trail. Lines are only ever added. */
export interface ReviewStep {
  readonly kind: ReviewStepKind;
  /** Null when it happened by itself. */
  readonly actor: string | null;
  /** Who lost the lease by it. */
  readonly holder: string | null;
  readonly leaseExpiresAt: number | null;
  /** Why, in a person's words. */
  readonly note: string | null;
  /** The run that asked (opened, renewed, reopened) or answered (withdrawn; null: its document was erased). */
  readonly run: RunName | null;
  /** The question's version since; null when the question stayed as it was. */
  readonly version: number | null;
  readonly decision: ReviewDecision | null;
  readonly at: number;
}

/** `refused`: somebody else holds it, or it is not the actor's (any more). The task is as it is now. */
export interface Leasing {
  readonly kind: 'granted' | 'refused' | 'not_open';
  readonly task: ReviewTask;
}

/** `all_held`: there are open ones, each held by somebody; the first lease ends at `nextFreeAt`. */
export type NextClaim =
  | { readonly kind: 'claimed'; readonly task: ReviewTask }
  | { readonly kind: 'all_held'; readonly held: number; readonly nextFreeAt: number }
  | { readonly kind: 'none' };

/** `held`: by somebody else; `changed`: the question is another one than was judged. */
export type DecisionAsked =
  | { readonly kind: 'asked'; readonly eventId: string }
  | { readonly kind: 'not_open' | 'changed' | 'held'; readonly task: ReviewTask };

/** What became of a stored decision. Only `applied` changed anything. */
export type DecisionApplied = 'applied' | 'not_open' | 'changed';

/** Work in progress of one person, kept whoever holds the lease. */
export interface ReviewDraft {
  readonly reviewId: string;
  readonly holder: string;
  /** The question's version it was written for. */
  readonly version: number;
  readonly values: StoredJson;
  readonly note: string | null;
  readonly at: number;
}

/** Counts behind the queue's summary. */
export interface ReviewTally {
  readonly open: number;
  readonly held: number;
  readonly overdue: number;
  readonly escalated: number;
  /** Of the open ones. */
  readonly samples: number;
  /** End of the first lease; null when none is held. */
  readonly nextFreeAt: number | null;
  /** Questions that came in since the asked instant, and the first of them. */
  readonly opened: number;
  readonly firstOpenedAt: number | null;
  /** The newest decisions whose claim is known, and the time from claim to decision of all of them together. */
  readonly decisions: number;
  readonly decidingMs: number;
}

/** Verdicts on sampled records that took so many attempts. A defect is anything but an approval. */
export interface SampleVerdicts {
  readonly attempts: number;
  readonly decided: number;
  readonly defects: number;
}

export interface ReviewStore {
  /** `id` may be a unique prefix of at least 8 characters, of the review's id or of its extraction's key. */
  find(id: string): Promise<ReviewTask | null>;
  /** By amount (highest first), then age. Open ones unless a state is asked for. */
  list(filter: ReviewFilter & { readonly state?: ReviewState }, page: PageRequest): Promise<Page<ReviewTask>>;
  /** Of several who ask at once one is granted; whatever happened to the lease is in the trail. Null: no such review. */
  lease(id: string, act: LeaseAct, at: number): Promise<Leasing | null>;
  /** Claims the first free one of the queue. Those who ask at once get different ones. */
  claimNext(filter: ReviewFilter, actor: string, leaseMs: number, at: number): Promise<NextClaim>;
  /** Frees what is held beyond its time, of all reviews or of one, and says so in the trail. Returns how many. */
  expireLeases(at: number, id?: string): Promise<number>;

  /** Stores a decision on an open review that nobody else holds. Null: no such review. */
  addDecision(decision: NewReviewDecision): Promise<DecisionAsked | null>;
  decision(eventId: string): Promise<ReviewDecision | null>;
  /** The trail, in order; decisions that were never carried out are in it with `appliedAt` null. */
  steps(id: string): Promise<readonly ReviewStep[]>;
  /**
   * Carries out a stored decision in one transaction, by compare-and-set on the open task and its version: task decided,
   * record written as `human_verified` or `rejected` (never over another person's), dead letters closed, the actor's
   * draft forgotten. `redrive` parks the run as a dead letter, so that it is not lost before its new run starts. Of a
   * sample, only a defect writes a record. Applying again what was applied is `applied` and changes nothing.
   */
  apply(
    eventId: string,
    unmet: readonly Problem[],
    verifierVersion: string,
    at: number,
  ): Promise<DecisionApplied>;
  markEscalated(id: string, at: number): Promise<void>;

  /** One draft for each person and review; a later one replaces it. Nothing is kept of an erased document. */
  saveDraft(draft: ReviewDraft): Promise<void>;
  draft(id: string, holder: string): Promise<ReviewDraft | null>;

  /** Counts at the instant `at`, with what came in since `since`. */
  tally(filter: Pick<ReviewFilter, 'tenant' | 'specId'>, at: number, since: number): Promise<ReviewTally>;
  /** Verdicts on samples since `since`, by how many attempts their records took. */
  sampleVerdicts(
    filter: Pick<ReviewFilter, 'tenant' | 'specId'>,
    since: number,
  ): Promise<readonly SampleVerdicts[]>;
}
