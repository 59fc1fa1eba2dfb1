/** What a batch has spent so far, and under which cap. */
export interface BatchBurn {
  readonly budgetTokens: number;
  readonly documents: number;
  readonly completed: number;
  readonly tokens: number;
  readonly cap: number;
  /** Counted since the cap was lowered last, so that what an earlier cap cost does not lower it again. */
  readonly completedSince: number;
  readonly tokensSince: number;
}

/** Documents that must end under a cap before it is judged: a tenth of the batch, and never more than this. */
const enough = 400;

/**
 * The cap for the documents that are left: one lower when tokens per completed document, projected over the rest,
 * exceed the budget. Never below 1; 0 when the budget is gone and no further document may begin.
 */
export function batchCap(burn: BatchBurn): number {
  if (burn.tokens >= burn.budgetTokens) return 0;
  if (burn.cap <= 1 || burn.completedSince < Math.min(enough, burn.documents / 10)) return burn.cap;
  const left = burn.documents - burn.completed;
  const projected = burn.tokens + (left * burn.tokensSince) / burn.completedSince;
  return projected > burn.budgetTokens ? burn.cap - 1 : burn.cap;
}
