import type { Constraint, Finding, VerifyContext, Wanted } from './constraint.js';
import { get, set } from './pointer.js';
import type { Problem } from './problem.js';
import type { Contradiction } from './verdict.js';

/**
 * Proves that two rules cannot both hold, whatever the field at the pointer says. One rule names the only value that
 * satisfies it (`wanted`); that value is put into the record and every other rule is asked again. If one breaks at
 * the same field, no value satisfies both. A pair is reported only if one of the two is broken by the record as it
 * is. Null when nothing is proved, which does not mean that the rules agree. `asking` is told whose `wanted` runs.
 */
export function proveContradiction<T>(
  record: T,
  constraints: readonly Constraint<T>[],
  context: VerifyContext,
  problems: readonly Problem[],
  asking: (rule: string) => void,
): Contradiction | null {
  const brokenAt = new Set(problems.map(({ pointer }) => pointer));
  for (const rule of constraints) {
    asking(rule.id);
    const wanted = rule.wanted?.(record, context) ?? null;
    if (wanted === null || !brokenAt.has(wanted.pointer)) continue;
    if (get(record, wanted.pointer) === undefined) continue;
    const substituted = set(record, wanted.pointer, wanted.value);
    for (const other of constraints) {
      if (other.id === rule.id || asksTheDocument(other)) continue;
      if (!isInvolved(problems, wanted.pointer, rule, other)) continue;
      const clash = findings(other, substituted, context).find(({ pointer }) => pointer === wanted.pointer);
      if (clash !== undefined) return contradiction(rule, wanted, other, clash);
    }
  }
  return null;
}

/**
 * A value computed from misread neighbours is printed nowhere; that speaks against the reading, not against the rules.
 * So rules that look into the document take no part in a proof.
 */
function asksTheDocument<T>(rule: Constraint<T>): boolean {
  return rule.ground !== undefined;
}

function isInvolved<T>(
  problems: readonly Problem[],
  pointer: string,
  ...pair: readonly Constraint<T>[]
): boolean {
  return problems.some(
    (problem) => problem.pointer === pointer && pair.some(({ id }) => id === problem.rule),
  );
}

/** A rule that cannot judge the substituted record proves nothing; that it judged the real one was seen before. */
function findings<T>(rule: Constraint<T>, record: T, context: VerifyContext): readonly Finding[] {
  try {
    return rule.check(record, context);
  } catch {
    return [];
  }
}

function contradiction<T>(
  rule: Constraint<T>,
  wanted: Wanted,
  other: Constraint<T>,
  clash: Finding,
): Contradiction {
  const sides = [
    { rule, value: wanted.value },
    { rule: other, value: clash.expected ?? `not ${wanted.value}` },
  ].sort((a, b) => (a.rule.id < b.rule.id ? -1 : 1));
  const [first, second] = sides as [(typeof sides)[number], (typeof sides)[number]];
  const field = wanted.pointer;
  return {
    rules: [first.rule.id, second.rule.id],
    pointer: field,
    values: [first.value, second.value],
    explanation:
      `Two rules ask for different values of ${field}, given the rest of this record. ` +
      `"${first.rule.id}" (${first.rule.says}) needs ${first.value}; ` +
      `"${second.rule.id}" (${second.rule.says}) needs ${second.value}. ` +
      'No value can satisfy both, so asking the model again cannot help: one of the two rules has to change.',
  };
}
