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

/** What bounds the documents that may begin now, looked at in one instant. Tokens are those of the batch's own runs. */
export interface BatchRoom {
  readonly budgetTokens: number;
  /** Spent so far: all calls that have ended. */
  readonly tokens: number;
  readonly cap: number;
  /** Places in the window that are free. */
  readonly places: number;
  /** Runs of the batch under way. */
  readonly underWay: number;
  /** Attempts that those may make beyond the one each is at. */
  readonly beyond: number;
  /** What one attempt may cost at most, as far as is known. */
  readonly attemptTokens: number;
  /** What one attempt costs as a rule. */
  readonly usualTokens: number;
}

/** How many documents may begin, and under which cap. */
export interface BatchAdmission {
  readonly documents: number;
  readonly cap: number;
}

/**
 * How many documents may begin now. Each reserves its usual first attempt and, at their dearest, all repairs that its cap
 * allows: so that whatever happens before the next look, the budget is exceeded by no more than one attempt for each
 * document that was under way when the last one began. With nothing under way one may begin as long as anything is left, under a cap that fits.
 */
export function admitted(room: BatchRoom): BatchAdmission {
  const { budgetTokens, tokens, cap, places, underWay, beyond, attemptTokens, usualTokens } = room;
  const left = budgetTokens - tokens;
  if (left <= 0 || places <= 0) return { documents: 0, cap };
  const free = left - underWay * usualTokens - beyond * attemptTokens;
  const each = usualTokens + (cap - 1) * attemptTokens;
  const documents = Math.max(0, Math.min(places, Math.floor(free / each)));
  if (documents > 0 || underWay > 0) return { documents, cap };
  return { documents: 1, cap: Math.min(cap, 1 + Math.floor(left / attemptTokens)) };
}
