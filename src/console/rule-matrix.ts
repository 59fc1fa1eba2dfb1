import type { AttemptView } from '../application/views/attempt-view.js';

/** How a rule fared in one attempt. `unread`: there was no record to ask it about. */
export type RuleState = 'holds' | 'broken' | 'unread';

export interface RuleRow {
  readonly rule: string;
  readonly pointer: string;
  /** What the last attempt that broke it was told. */
  readonly says: string;
  readonly states: readonly RuleState[];
}

/** One line for each rule and place that any attempt broke, against all attempts; the rest as one line. */
export function ruleRows(attempts: readonly AttemptView[]): {
  readonly rows: readonly RuleRow[];
  readonly others: readonly RuleState[];
} {
  const keyed = new Map<string, { rule: string; pointer: string; says: string }>();
  for (const { problems } of attempts) {
    for (const { rule, pointer, message } of problems) {
      keyed.set(`${rule} ${pointer}`, { rule, pointer, says: message });
    }
  }
  const rows = [...keyed.values()].map((row) => ({
    ...row,
    states: attempts.map((attempt) => stateOf(attempt, row.rule, row.pointer)),
  }));
  return { rows, others: attempts.map((attempt) => (wasAsked(attempt) ? 'holds' : 'unread')) };
}

function stateOf(attempt: AttemptView, rule: string, pointer: string): RuleState {
  if (attempt.problems.some((problem) => problem.rule === rule && problem.pointer === pointer))
    return 'broken';
  // Rules about the shape are asked of any candidate; rules about the truth only of one that has its shape.
  const isAsked = rule.startsWith('schema') ? attempt.candidate !== null : wasAsked(attempt);
  return isAsked ? 'holds' : 'unread';
}

function wasAsked({ result, failureClass }: AttemptView): boolean {
  return result === 'accepted' || failureClass === 'constraint';
}
