import type { FailureClass } from './failure-class.js';

/** What choosing needs to know of one rejected attempt. */
export interface CandidateRow {
  readonly attempt: number;
  readonly failureClass: FailureClass;
  readonly problemCount: number;
  /** A whole candidate was read and kept. */
  readonly hasCandidate: boolean;
}

/**
 * How far a candidate came: 2 = it met the schema and its rules were checked, 1 = it met the schema but a rule threw,
 * so that its problems were not all counted, 0 = it was whole. The other classes have no whole candidate, whatever
 * the row says: a cut-off reply is never one.
 */
const stages: Partial<Record<FailureClass, number>> = { constraint: 2, verifier_fault: 1, schema: 0 };

/** The best whole candidate: furthest stage first, then fewest problems, then latest; null when none was ever read. */
export function bestCandidate<Row extends CandidateRow>(rows: readonly Row[]): Row | null {
  const ranked = rows.flatMap((row) => {
    const stage = stages[row.failureClass];
    return row.hasCandidate && stage !== undefined ? [{ row, stage }] : [];
  });
  ranked.sort(
    (a, b) => b.stage - a.stage || a.row.problemCount - b.row.problemCount || b.row.attempt - a.row.attempt,
  );
  return ranked[0]?.row ?? null;
}
