import type { Store } from '../ports/store.js';
import { type ReviewStepView, viewStep } from './views/review-view.js';

/** The last decision on an extraction that was carried out, from the trail of its review; null when there is none. */
export async function personsDecision(
  { reviews }: Pick<Store, 'reviews'>,
  extractionId: string,
): Promise<ReviewStepView | null> {
  const task = await reviews.find(extractionId);
  if (task === null) return null;
  const steps = (await reviews.steps(task.id)).map(viewStep);
  return steps.findLast(({ decision }) => decision?.carriedOut === true) ?? null;
}
