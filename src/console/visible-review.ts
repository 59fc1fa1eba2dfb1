import { type Desk, findReviewNow } from '../application/claim-review.js';
import { HttpProblem } from '../http/problem.js';
import type { ReviewTask } from '../ports/review-store.js';
import type { Visitor } from './visitor.js';

/** One that this visitor may see: another tenant's is as good as none. */
export async function visibleReview(desk: Desk, { tenant }: Visitor, id: string): Promise<ReviewTask> {
  const task = await findReviewNow(desk, id);
  if (tenant === null || task.tenant === tenant) return task;
  throw new HttpProblem({
    slug: 'not-found',
    title: 'Not found',
    status: 404,
    detail: 'No single review has an id that begins like this.',
  });
}
