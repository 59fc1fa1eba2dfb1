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
  return rows.reduce<Row | null>((best, row) => (isBetter(row, best) ? row : best), null);
}

function isBetter(row: CandidateRow, best: CandidateRow | null): boolean {
  const stage = stages[row.failureClass];
  if (!row.hasCandidate || stage === undefined) return false;
  if (best === null) return true;
  const ahead = stage - (stages[best.failureClass] ?? 0);
  if (ahead !== 0) return ahead > 0;
  const fewer = best.problemCount - row.problemCount;
  return fewer !== 0 ? fewer > 0 : row.attempt > best.attempt;
}
