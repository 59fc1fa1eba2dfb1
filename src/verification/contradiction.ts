import type { Constraint, Finding, VerifyContext, Wanted } from './constraint.js';
import { get, set } from './pointer.js';
import type { Problem } from './problem.js';
import type { Contradiction } from './verdict.js';

/** A rule with the only value that satisfies it, and the record with that value put in. */
interface Proposal<T> {
  readonly rule: Constraint<T>;
  readonly wanted: Wanted;
  readonly substituted: T;
}

/**
 * Proves that two rules cannot both hold, whatever the field at the pointer says. One rule names the only value that
 * satisfies it (`wanted`); that value is put into the record and every other rule is asked again. If one breaks at
 * the same field, no value satisfies both. A pair is reported only if one of the two is broken by the record as it
 * is. Null when nothing is proved, which does not mean that the rules agree. `asking` is told whose `wanted` runs.
 *
 * Rules that look into the document come last and under one more condition: a value computed from misread neighbours
 * is printed nowhere either. So once there is an earlier candidate, it must have led to the same value.
 */
export function proveContradiction<T>(
  record: T,
  constraints: readonly Constraint<T>[],
  context: VerifyContext,
  problems: readonly Problem[],
  asking: (rule: string) => void,
): Contradiction | null {
  const proposals = constraints.flatMap((rule) => {
    asking(rule.id);
    const wanted = rule.wanted?.(record, context) ?? null;
    if (wanted === null || get(record, wanted.pointer) === undefined) return [];
    return [{ rule, wanted, substituted: set(record, wanted.pointer, wanted.value) }];
  });
  const stable = proposals.filter(({ rule, wanted }) => isStable(rule, wanted, context));
  const aboutRecord = constraints.filter(({ inspect }) => inspect === undefined);
  const aboutDocument = constraints.filter(({ inspect }) => inspect !== undefined);
  return (
    firstClash(record, proposals, aboutRecord, context, problems) ??
    firstClash(record, stable, aboutDocument, context, problems)
  );
}

/** True when the earlier candidate, if there is one, asks for the same value. */
function isStable<T>(rule: Constraint<T>, wanted: Wanted, context: VerifyContext): boolean {
  if (context.previous === null || context.previous === undefined) return true;
  try {
    // An earlier candidate may not even have had the shape of a record; then a rule may throw.
    const before = rule.wanted?.(context.previous as T, context);
    return before?.pointer === wanted.pointer && before.value === wanted.value;
  } catch {
    return false;
  }
}

function firstClash<T>(
  record: T,
  proposals: readonly Proposal<T>[],
  others: readonly Constraint<T>[],
  context: VerifyContext,
  problems: readonly Problem[],
): Contradiction | null {
  for (const { rule, wanted, substituted } of proposals) {
    const { pointer } = wanted;
    const brokenHere = new Set(problems.filter((problem) => problem.pointer === pointer).map((p) => p.rule));
    for (const other of others) {
      if (other.id === rule.id || !(brokenHere.has(rule.id) || brokenHere.has(other.id))) continue;
      const broken = findings(other, substituted, context).find((finding) => finding.pointer === pointer);
      if (broken === undefined) continue;
      // A rule that holds now is satisfied by the value there is.
      const needs = brokenHere.has(other.id)
        ? (broken.expected ?? 'another value')
        : String(get(record, pointer));
      return explained(pointer, { rule, needs: wanted.value }, { rule: other, needs });
    }
  }
  return null;
}

/** A rule that cannot judge the substituted record proves nothing; that it judged the real one was seen before. */
function findings<T>(rule: Constraint<T>, record: T, context: VerifyContext): readonly Finding[] {
  try {
    return rule.check(record, context);
  } catch {
    return [];
  }
}

interface Side<T> {
  readonly rule: Constraint<T>;
  readonly needs: string;
}

function explained<T>(pointer: string, one: Side<T>, other: Side<T>): Contradiction {
  const [first, second] = one.rule.id < other.rule.id ? [one, other] : [other, one];
  const way =
    other.rule.inspect === undefined
      ? 'No value satisfies both, so asking the model again cannot help: one of the two rules has to change.'
      : 'Either the document contradicts itself or its other values were misread: a person has to look.';
  return {
    rules: [first.rule.id, second.rule.id],
    pointer,
    values: [first.needs, second.needs],
    explanation:
      `Two rules ask for different values of ${pointer}, given the rest of this record. ` +
      `"${first.rule.id}" (${first.rule.says}) needs ${first.needs}; ` +
      `"${second.rule.id}" (${second.rule.says}) needs ${second.needs}. ${way}`,
  };
}
