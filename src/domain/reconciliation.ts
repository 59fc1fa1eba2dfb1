/** What the reconciler looks through, one after the other. */
export const reconcileParts = ['runs', 'landings', 'reviews', 'clocks', 'letters', 'batches'] as const;

export interface ReconcileAsk {
  readonly part: (typeof reconcileParts)[number];
  /** Null: from the start; else from the answer before. */
  readonly cursor: string | null;
}

/** What was found astray and put right. */
export interface Mended {
  /** Open runs whose workflow was ended from outside, or was never there until their deadline: closed and parked. */
  readonly closedRuns: number;
  /** Open runs whose workflow was not there: started again. */
  readonly restartedRuns: number;
  /** Closed runs that were ended from outside before their fallback or best effort: parked, or kept after all. */
  readonly landedRuns: number;
  /** Open review tasks whose workflow was gone: started again. */
  readonly restartedReviews: number;
  /** Review workflows that wait although the store has nothing to ask any more: told so. */
  readonly endedReviews: number;
  /** Redriven letters whose run came to nothing. */
  readonly parkedLetters: number;
  /** Redriven letters whose run verified. */
  readonly recoveredLetters: number;
  /** Batches that run, or stop, whose workflow was not there: started again. */
  readonly restartedBatches: number;
  /** Found astray and not put right, for a reason nobody foresaw. */
  readonly failed: number;
}

export interface Reconciled {
  readonly mended: Mended;
  /** Null when the part is through. */
  readonly cursor: string | null;
}

export const nothingMended: Mended = {
  closedRuns: 0,
  restartedRuns: 0,
  landedRuns: 0,
  restartedReviews: 0,
  endedReviews: 0,
  parkedLetters: 0,
  recoveredLetters: 0,
  restartedBatches: 0,
  failed: 0,
};

export function addMended(left: Mended, right: Partial<Mended>): Mended {
  const counts = Object.keys(nothingMended) as (keyof Mended)[];
  // A worker of the version before may not know all of them.
  const sums = counts.map((count) => [count, left[count] + (right[count] ?? 0)] as const);
  return Object.fromEntries(sums) as Record<keyof Mended, number>;
}
