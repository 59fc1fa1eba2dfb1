import type { ReviewTask } from '../ports/review-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { readId } from './find-extraction.js';

/** How long a claim holds unless it is renewed: long enough for one document, short enough after a closed laptop. */
export const leaseMs = 15 * 60_000;

/** `review` is a subject or an extraction key, or a unique beginning. Throws ApplicationError `not_found`. */
export async function findReview(app: Application, review: string): Promise<ReviewTask> {
  const task = await app.store.reviews.find(readId(review));
  if (task !== null) return task;
  throw new ApplicationError('not_found', `No single review has an id that begins with "${readId(review)}".`);
}

/**
 * Takes or renews the lease on an open review. `steal` takes it from whoever holds it.
 * Throws ApplicationError `not_found`, `review_not_open`, or `review_held` naming the holder.
 */
export async function claimReview(
  app: Application,
  review: string,
  holder: string,
  steal: boolean,
): Promise<ReviewTask> {
  const name = readHolder(holder);
  const task = await findReview(app, review);
  if (steal && task.holder !== null && task.holder !== name) {
    await app.store.reviews.release(task.subject, task.holder);
  }
  const claiming = await app.store.reviews.claim(task.subject, name, leaseMs, app.now());
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
