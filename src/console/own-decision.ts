import { setTimeout as sleep } from 'node:timers/promises';
import type { Application } from '../application/application.js';
import { ReviewClosed } from '../ports/engine.js';
import type { ReviewDecision, ReviewTask } from '../ports/review-store.js';

/** How often, and how far apart, a decision that is being carried out is looked at. */
const looks = 15;
const apartMs = 200;

/**
 * The decision that answered this version of a question; null: something else did, or nothing has. One that is being
 * carried out, as `refused` says, is waited for.
 */
export async function answerTo(
  { store }: Pick<Application, 'store'>,
  { id }: Pick<ReviewTask, 'id'>,
  version: number,
  refused: unknown,
): Promise<ReviewDecision | null> {
  const most = refused instanceof ReviewClosed ? looks : 1;
  for (let look = 1; look <= most; look += 1) {
    const answered = (await store.reviews.steps(id)).find((step) => step.version === version + 1);
    if (answered !== undefined) return answered.decision;
    if (look < most) await sleep(apartMs);
  }
  return null;
}
