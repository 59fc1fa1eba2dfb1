import type { StoredJson } from '../ports/attempt-store.js';
import type { ReviewDraft } from '../ports/review-store.js';
import { type Desk, findReview, type ReviewClaim, readActor } from './claim-review.js';
import { settledError } from './review-settled.js';

/** Work in progress of one person: raw, as they typed it. */
export interface NewDraft extends ReviewClaim {
  readonly values: StoredJson;
  readonly note: string | null;
}

/**
 * Keeps a person's unfinished work on an open review, whether or not they (still) hold it: a lease that runs out or is
 * stolen loses nobody's work. Throws ApplicationError `not_found`, or `review_not_open`.
 */
export async function saveDraft(desk: Desk, { review, actor, values, note }: NewDraft): Promise<ReviewDraft> {
  const holder = readActor(actor);
  const task = await findReview(desk, review);
  if (task.state !== 'open') throw await settledError(desk.store, task);
  const { id: reviewId, version } = task;
  const draft: ReviewDraft = { reviewId, holder, version, values, note, at: desk.now() };
  await desk.store.reviews.saveDraft(draft);
  return draft;
}

/** Null when this person has none: none was saved, or they have decided since. Throws ApplicationError `not_found`. */
export async function readDraft(desk: Desk, { review, actor }: ReviewClaim): Promise<ReviewDraft | null> {
  const { id } = await findReview(desk, review);
  return desk.store.reviews.draft(id, readActor(actor));
}
