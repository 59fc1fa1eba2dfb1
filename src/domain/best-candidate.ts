import type { AttemptReport } from './attempt-report.js';
import type { FailureClass } from './failure-class.js';

/**
 * How far a candidate came: 2 = it met the schema and its rules were checked, 1 = it met the schema but a rule threw,
 * so that its problems were not all counted, 0 = it was whole. The other classes have no whole candidate, whatever
 * the report says: a cut-off reply is never one.
 */
const stages: Partial<Record<FailureClass, number>> = { constraint: 2, verifier_fault: 1, schema: 0 };

/** Of rejected attempts the one with the best whole candidate: furthest stage, then fewest problems, then latest. */
export function bestCandidate<Row extends { readonly report: AttemptReport }>(
  rows: readonly Row[],
): Row | null {
  return rows.reduce<Row | null>((best, row) => (isBetter(row.report, best?.report) ? row : best), null);
}

function isBetter(report: AttemptReport, best: AttemptReport | undefined): boolean {
  const standing = standingOf(report);
  if (standing === null) return false;
  const other = best === undefined ? null : standingOf(best);
  if (best === undefined || other === null) return true;
  if (standing.stage !== other.stage) return standing.stage > other.stage;
  if (standing.problems !== other.problems) return standing.problems < other.problems;
  return report.attempt > best.attempt;
}

function standingOf({ result }: AttemptReport): { readonly stage: number; readonly problems: number } | null {
  if (result.kind === 'accepted' || result.candidateHash === null) return null;
  const stage = stages[result.failureClass];
  return stage === undefined ? null : { stage, problems: result.problems.length };
}
