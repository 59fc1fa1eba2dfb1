import type { RunRef } from '../domain/extraction-input.js';
import type { FailureClass } from '../domain/failure-class.js';
import type { Money } from '../domain/money.js';
import type { Reason } from '../domain/reason.js';
import type { StoredJson } from './attempt-store.js';
import type { Page, PageRequest } from './page.js';

export const reviewVerbs = ['approve', 'correct', 'reject', 'not_in_document', 'redrive'] as const;
export type ReviewVerb = (typeof reviewVerbs)[number];

/** One open question to a person, per subject. */
export interface ReviewTask extends RunRef {
  readonly state: 'open' | 'decided' | 'withdrawn';
  readonly reason: Reason;
  readonly failureClass: FailureClass | null;
  /** The attempt whose candidate is offered as a start; null when none was read. */
  readonly bestAttempt: number | null;
  readonly amount: Money | null;
  readonly holder: string | null;
  readonly leaseExpiresAt: number | null;
  readonly createdAt: number;
  readonly dueAt: number;
  readonly escalatedAt: number | null;
  readonly decidedAt: number | null;
  readonly verdict: ReviewVerb | null;
}

/** What a person wants done. Stored first; workflows only ever see its id and verb. */
export interface NewReviewEvent {
  readonly subject: string;
  readonly actor: string;
  readonly verb: ReviewVerb;
  /** The record the person stands for; null for reject, not_in_document and redrive. */
  readonly values: StoredJson;
  /** Why; required for reject and for an override. */
  readonly note: string | null;
  /** Rule ids the person overrides by name. */
  readonly overrides: readonly string[];
  readonly at: number;
}

export interface ReviewEvent extends NewReviewEvent {
  readonly eventId: string;
  /** The candidate as the machine left it. */
  readonly original: StoredJson;
}

export type Claiming =
  | { readonly kind: 'claimed'; readonly task: ReviewTask }
  | { readonly kind: 'held'; readonly holder: string; readonly leaseExpiresAt: number }
  | { readonly kind: 'not_open' };

export interface ReviewStore {
  /** `subject` may be a unique prefix of at least 8 characters, of the subject or of the extraction key. */
  find(subject: string): Promise<ReviewTask | null>;
  /** Open tasks by amount (highest first), then age, unless a state is asked for. */
  list(
    filter: { tenant?: string; specId?: string; state?: ReviewTask['state'] },
    page: PageRequest,
  ): Promise<Page<ReviewTask>>;
  /** A lease: one holder at a time; an expired lease is free; claiming one's own extends it. */
  claim(subject: string, holder: string, leaseMs: number, at: number): Promise<Claiming>;
  release(subject: string, holder: string): Promise<boolean>;
  addEvent(event: NewReviewEvent): Promise<string>;
  event(eventId: string): Promise<ReviewEvent | null>;
  events(subject: string): Promise<readonly ReviewEvent[]>;
  /**
   * Carries out a stored event in one transaction: task decided (compare-and-set on open), record written as
   * `human_verified` or `rejected` (never over another person's), dead letter closed, outbox event.
   * False when the task was no longer open; true again when this very event was already applied.
   */
  apply(
    eventId: string,
    unmet: readonly import('../verification/problem.js').Problem[],
    verifierVersion: string,
    at: number,
  ): Promise<boolean>;
  markEscalated(subject: string, at: number): Promise<void>;
}
