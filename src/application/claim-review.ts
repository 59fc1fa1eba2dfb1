import type { ReviewTask } from '../ports/review-store.js';
import type { Store } from '../ports/store.js';
import { ApplicationError } from './application-error.js';
import { readId } from './find-extraction.js';

/** How long a claim holds unless it is renewed: long enough for one document, short enough after a closed laptop. */
export const leaseMs = 15 * 60_000;

/** Who wants which review, and when. `steal` takes it from whoever holds it. */
export interface ReviewClaim {
  /** Subject or extraction key, or a unique beginning. */
  readonly review: string;
  readonly holder: string;
  readonly steal: boolean;
  readonly now: number;
}

/** `review` is a subject or an extraction key, or a unique beginning. Throws ApplicationError `not_found`. */
export async function findReview(store: Store, review: string): Promise<ReviewTask> {
  const task = await store.reviews.find(readId(review));
  if (task !== null) return task;
  throw new ApplicationError('not_found', `No single review has an id that begins with "${readId(review)}".`);
}

/**
 * Takes or renews the lease on an open review.
 * Throws ApplicationError `not_found`, `review_not_open`, or `review_held` naming the holder.
 */
export async function claimReview(store: Store, claim: ReviewClaim): Promise<ReviewTask> {
  const name = readHolder(claim.holder);
  const task = await findReview(store, claim.review);
  if (claim.steal && task.holder !== null && task.holder !== name) {
    await store.reviews.release(task.subject, task.holder);
  }
  const claiming = await store.reviews.claim(task.subject, name, leaseMs, claim.now);
  if (claiming.kind === 'claimed') return claiming.task;
  if (claiming.kind === 'not_open') {
    throw new ApplicationError(
      'review_not_open',
      `This review is ${task.state}; there is nothing left to decide.`,
    );
  }
  const until = new Date(claiming.leaseExpiresAt).toISOString();
  throw new ApplicationError('review_held', `This review is held by ${claiming.holder} until ${until}.`);
}

function readHolder(holder: string): string {
  const name = holder.trim();
  if (/^[^\p{C}]{1,100}$/u.test(name)) return name;
  throw new ApplicationError('invalid_request', 'A reviewer is named by 1 to 100 printable characters.', [
    { pointer: '/actor', detail: 'Must be 1 to 100 printable characters.' },
  ]);
}
