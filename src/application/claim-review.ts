import type { LeaseAct } from '../domain/lease.js';
import type { NextClaim, ReviewFilter, ReviewTask } from '../ports/review-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { readId } from './find-extraction.js';
import { settledError } from './review-settled.js';
import { instant } from './views/instant.js';

/** How long a claim holds unless it is extended: long enough for one document, short enough after a closed laptop. */
export const leaseMs = 15 * 60_000;

/** What reviewing without an engine needs. */
export type Desk = Pick<Application, 'store' | 'now'>;

/** Who wants which review: its id, its extraction's, or a unique beginning of one. */
export interface ReviewClaim {
  readonly review: string;
  readonly actor: string;
}

/** Throws ApplicationError `not_found`, or `invalid_request` for an id that is none. */
export async function findReview({ store }: Pick<Desk, 'store'>, review: string): Promise<ReviewTask> {
  const task = await store.reviews.find(readId(review));
  if (task !== null) return task;
  throw new ApplicationError('not_found', `No single review has an id that begins with "${readId(review)}".`);
}

/** As `findReview`, with a lease that has run out let go first, so that nobody loses one without a line in the trail. */
export async function findReviewNow(desk: Desk, review: string): Promise<ReviewTask> {
  const task = await findReview(desk, review);
  const freed = await desk.store.reviews.expireLeases(desk.now(), task.id);
  return freed === 0 ? task : findReview(desk, task.id);
}

/**
 * Takes or extends the lease on an open review. With a reason in `steal` also from somebody else: the trail keeps it.
 * Throws ApplicationError `not_found`, `review_not_open`, or `review_held` naming the holder.
 */
export async function claimReview(
  desk: Desk,
  claim: ReviewClaim & { readonly steal: string | null },
): Promise<ReviewTask> {
  const actor = readActor(claim.actor);
  const act: LeaseAct =
    claim.steal === null
      ? { kind: 'claim', actor, leaseMs }
      : { kind: 'steal', actor, leaseMs, reason: readReason(claim.steal) };
  return lease(desk, claim.review, act);
}

/**
 * A heartbeat: holds on for another lease. Throws ApplicationError `not_found`, `review_not_open`, or `lease_lost` when
 * the lease ran out or was stolen meanwhile; a draft is kept all the same.
 */
export async function extendReview(desk: Desk, { review, actor }: ReviewClaim): Promise<ReviewTask> {
  return lease(desk, review, { kind: 'extend', actor: readActor(actor), leaseMs });
}

/** Lets go. Throws ApplicationError `not_found`, `review_not_open`, or `lease_lost`: it was let go already. */
export async function releaseReview(desk: Desk, { review, actor }: ReviewClaim): Promise<ReviewTask> {
  return lease(desk, review, { kind: 'release', actor: readActor(actor) });
}

/** Claims the first free review of the queue; tells an empty queue from one that others hold. */
export async function claimNextReview(desk: Desk, filter: ReviewFilter, actor: string): Promise<NextClaim> {
  return desk.store.reviews.claimNext(filter, readActor(actor), leaseMs, desk.now());
}

/** Throws ApplicationError `invalid_request`. */
export function readActor(actor: string): string {
  const name = actor.trim();
  if (/^[^\p{C}]{1,100}$/u.test(name)) return name;
  throw new ApplicationError('invalid_request', 'A reviewer is named by 1 to 100 printable characters.', [
    { pointer: '/actor', detail: 'Must be 1 to 100 printable characters.' },
  ]);
}

function readReason(reason: string): string {
  const text = reason.trim();
  if (text !== '' && text.length <= 1_000) return text;
  throw new ApplicationError('invalid_request', 'To take a review from somebody else needs a reason.', [
    { pointer: '/steal', detail: 'Must say why, in at most 1,000 characters.' },
  ]);
}

async function lease(desk: Desk, review: string, act: LeaseAct): Promise<ReviewTask> {
  const { id } = await findReview(desk, review);
  const leasing = await desk.store.reviews.lease(id, act, desk.now());
  if (leasing === null) throw new ApplicationError('not_found', 'This review is no longer kept.');
  const { kind, task } = leasing;
  if (kind === 'granted') return task;
  if (kind === 'not_open') throw await settledError(desk.store, task);
  throw act.kind === 'claim' ? heldError(task) : lostError(task);
}

export function heldError(task: ReviewTask): ApplicationError {
  return new ApplicationError('review_held', `This review is held by ${holding(task)}.`);
}

function lostError(task: ReviewTask): ApplicationError {
  const now = task.holder === null ? 'nobody holds it: claim it again' : `it is held by ${holding(task)}`;
  return new ApplicationError(
    'lease_lost',
    `You do not hold this review (any more); ${now}. Drafts are kept.`,
  );
}

function holding({ holder, leaseExpiresAt }: ReviewTask): string {
  const until = instant(leaseExpiresAt ?? 0);
  return `${holder} until ${until.slice(0, 10)} ${until.slice(11, 16)}Z`;
}
