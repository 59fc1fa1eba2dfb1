import type { Constraint, Inspection, VerifyContext } from './constraint.js';
import { proveContradiction } from './contradiction.js';
import { hasText } from './document-text.js';
import { problemsOf, type RuleFindings } from './doubt.js';
import type { Evidence } from './evidence.js';
import { grouped } from './grounding/by-key.js';
import { evidenceAt } from './grounding/evidence-at.js';
import type { Found } from './grounding/locate.js';
import { settlePlaces } from './grounding/placing.js';
import { indexOf } from './grounding/text-index.js';
import { leaves } from './pointer.js';
import type { Problem } from './problem.js';
import type { Contradiction, Verdict } from './verdict.js';

/** Of one rule; more would tell nobody more, and references to problems go into workflow history. */
const maximumFindings = 50;

/**
 * Checks a record against every rule. Pure: the same record, rules and context give the same verdict.
 * `holds` when no rule is broken; `broken` with every problem of every rule, in the order of the rules, and with a
 * contradiction when one is proved; `fault` when a rule threw, which says nothing about the record.
 */
export function verify<T>(record: T, constraints: readonly Constraint<T>[], context: VerifyContext): Verdict {
  const broken: RuleFindings[] = [];
  let problems: readonly Problem[] = [];
  const inspections: Inspection[] = [];
  let contradiction: Contradiction | null = null;
  let repairable = false;
  let running = '';
  try {
    for (const rule of constraints) {
      running = rule.id;
      const inspection = rule.inspect?.(record, context);
      if (inspection !== undefined) inspections.push(inspection);
      const findings = inspection?.findings ?? rule.check(record, context);
      broken.push({ rule: rule.id, findings });
      repairable ||= rule.repairable && findings.length > 0;
    }
    problems = problemsOf(broken, maximumFindings);
    if (problems.length > 0) {
      contradiction = proveContradiction(record, constraints, context, problems, (id) => {
        running = id;
      });
    }
  } catch (error) {
    return { kind: 'fault', rule: running, message: faultMessage(running, error) };
  }
  const evidence = settledEvidence(record, inspections, context);
  const ungrounded = [...new Set(inspections.flatMap((inspection) => inspection.ungrounded))];
  if (problems.length === 0) return { kind: 'holds', evidence, ungrounded };
  return { kind: 'broken', problems, repairable, contradiction, evidence, ungrounded };
}

/** All evidence, in the order of the rules; values that are equal do not share a print where there are enough. */
function settledEvidence(
  record: unknown,
  inspections: readonly Inspection[],
  { text }: VerifyContext,
): readonly Evidence[] {
  if (!hasText(text)) return inspections.flatMap(({ evidence }) => evidence);
  const index = indexOf(text);
  const byPointer = grouped(
    inspections.flatMap(({ found = [] }) => found),
    ({ pointer }) => [pointer],
  );
  const inOrder = leaves(record).flatMap(({ pointer }) => byPointer.get(pointer) ?? []);
  const settled = settlePlaces(index, inOrder);
  return inspections.flatMap(
    ({ found, evidence }) =>
      found?.map((value) => evidenceAt(index, value.pointer, settled.get(value) as Found)) ?? evidence,
  );
}

/** Names the rule, the kind of error and the line, never the error's own text: that may quote the record. */
function faultMessage(rule: string, error: unknown): string {
  if (!(error instanceof Error)) return `The rule "${rule}" threw something that is not an Error.`;
  const frame = /^\s+at (?:.*\()?(?:.*[\\/])?([^\\/()]+:\d+:\d+)\)?$/m.exec(error.stack ?? '')?.[1];
  return `The rule "${rule}" threw a ${error.name}${frame === undefined ? '' : ` at ${frame}`}.`;
}
