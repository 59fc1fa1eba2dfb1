import type { FailureClass } from '../../domain/failure-class.js';
import type { Money } from '../../domain/money.js';
import type { Reason } from '../../domain/reason.js';
import type { StoredJson } from '../../ports/attempt-store.js';
import type { ReviewEvent, ReviewTask, ReviewVerb } from '../../ports/review-store.js';
import type { Store } from '../../ports/store.js';
import type { Problem } from '../../verification/problem.js';
import { findReview } from '../claim-review.js';
import { findExtraction } from '../find-extraction.js';
import { type ExplainedDiagnosis, readOutcome } from '../read-outcome.js';
import { instant, instantOrNull } from './instant.js';

/** One question to a person, as the queue shows it. */
export interface ReviewSummary {
  readonly id: string;
  readonly extractionId: string;
  readonly run: number;
  readonly spec: string;
  readonly tenant: string;
  readonly state: 'open' | 'decided' | 'withdrawn';
  readonly reason: Reason;
  readonly failureClass: FailureClass | null;
  readonly amount: Money | null;
  /** Who holds it now; null when it is free or the lease has run out. */
  readonly holder: string | null;
  readonly leaseExpiresAt: string | null;
  readonly createdAt: string;
  readonly dueAt: string;
  readonly overdue: boolean;
  readonly escalatedAt: string | null;
  readonly decidedAt: string | null;
  readonly verdict: ReviewVerb | null;
}

/** One step a person took. `values` is the record they stood for, `original` what the machine had left. */
export interface ReviewEventView {
  readonly id: string;
  readonly actor: string;
  readonly verb: ReviewVerb;
  readonly values: StoredJson;
  readonly original: StoredJson;
  readonly note: string | null;
  readonly overrides: readonly string[];
  readonly at: string;
}

/** A review with why it is here and what is offered as a start. */
export interface ReviewView extends ReviewSummary {
  readonly fileName: string | null;
  readonly candidate: StoredJson;
  readonly unmet: readonly Problem[];
  readonly diagnosis: ExplainedDiagnosis | null;
  readonly events: readonly ReviewEventView[];
}

export function summariseReview(task: ReviewTask, now: number): ReviewSummary {
  const held = task.leaseExpiresAt !== null && task.leaseExpiresAt > now;
  return {
    id: task.subject,
    extractionId: task.key,
    run: task.run,
    spec: task.specId,
    tenant: task.tenant,
    state: task.state,
    reason: task.reason,
    failureClass: task.failureClass,
    amount: task.amount,
    holder: held ? task.holder : null,
    leaseExpiresAt: held ? instantOrNull(task.leaseExpiresAt) : null,
    createdAt: instant(task.createdAt),
    dueAt: instant(task.dueAt),
    overdue: task.state === 'open' && task.dueAt < now,
    escalatedAt: instantOrNull(task.escalatedAt),
    decidedAt: instantOrNull(task.decidedAt),
    verdict: task.verdict,
  };
}

/** Throws ApplicationError `invalid_request` or `not_found`. */
export async function readReview(store: Store, id: string, now: number): Promise<ReviewView> {
  const task = await findReview(store, id);
  const extraction = await findExtraction(store, task.key, task.run);
  const [{ outcome }, events] = await Promise.all([
    readOutcome(store, extraction),
    store.reviews.events(task.subject),
  ]);
  const unverified = outcome?.kind === 'unverified' ? outcome : null;
  return {
    ...summariseReview(task, now),
    fileName: extraction.fileName,
    candidate: unverified?.bestEffort ?? null,
    unmet: unverified?.unmet ?? [],
    diagnosis: unverified?.diagnosis ?? null,
    events: events.map(viewEvent),
  };
}

function viewEvent(event: ReviewEvent): ReviewEventView {
  return {
    id: event.eventId,
    actor: event.actor,
    verb: event.verb,
    values: event.values,
    original: event.original,
    note: event.note,
    overrides: event.overrides,
    at: instant(event.at),
  };
}
