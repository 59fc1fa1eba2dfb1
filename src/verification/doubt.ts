import type { Finding } from './constraint.js';
import type { Problem } from './problem.js';

/** What one rule found. */
export interface RuleFindings {
  readonly rule: string;
  readonly findings: readonly Finding[];
}

/**
 * The findings of all rules as problems. A value that was computed from fields which another rule finds wrong is as wrong
 * as they are: then it is not said, so that no reader moves a total to the sum of misread lines.
 */
export function problemsOf(found: readonly RuleFindings[], maximumOfRule: number): readonly Problem[] {
  const broken = brokenPointers(found);
  return found.flatMap(({ rule, findings }) =>
    findings.slice(0, maximumOfRule).map(({ computed, ...finding }): Problem => {
      const isInDoubt = computed?.from.some((pointer) => isBrokenBy(broken, pointer, rule)) === true;
      return isInDoubt
        ? { rule, ...finding, message: computed.inDoubt, expected: null }
        : { rule, ...finding };
    }),
  );
}

/** The rules that found something wrong, by where. */
function brokenPointers(found: readonly RuleFindings[]): ReadonlyMap<string, ReadonlySet<string>> {
  const broken = new Map<string, Set<string>>();
  for (const { rule, findings } of found) {
    for (const { pointer } of findings) broken.set(pointer, (broken.get(pointer) ?? new Set()).add(rule));
  }
  return broken;
}

/** True when another rule is broken at this field, or at a list or object that it belongs to, short of the whole record. */
function isBrokenBy(
  broken: ReadonlyMap<string, ReadonlySet<string>>,
  field: string,
  computing: string,
): boolean {
  for (let pointer = field; pointer !== ''; pointer = pointer.slice(0, pointer.lastIndexOf('/'))) {
    for (const rule of broken.get(pointer) ?? []) if (rule !== computing) return true;
  }
  return false;
}
