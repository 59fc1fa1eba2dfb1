import { minorUnitsOf } from '../../verification/currencies.js';
import { get } from '../../verification/pointer.js';
import { counted } from '../parts/format.js';
import type { Desk } from '../review-desk.js';
import type { FormField } from '../review-form.js';

/** `unasked`: a field is missing or misshapen, and until it is mended no rule is asked anything. */
export type RuleState = 'broken' | 'holds' | 'unasked';

/** How rules stand that object to nothing just now. */
function stateOfOthers({ check }: Desk): RuleState {
  return check === null ? 'broken' : check.kind === 'misshapen' ? 'unasked' : 'holds';
}

/** Rules that were broken when it came here, and those that are now: the first stay in sight when they hold again. */
export function rulesAt(desk: Desk, pointer: string) {
  const { sheet, check } = desk;
  const first = sheet.unmet.find((field) => field.pointer === pointer)?.rules ?? [];
  const now = (check?.unmet ?? []).filter((problem) => problem.pointer === pointer);
  const added = now.filter(({ rule }) => !first.some((known) => known.rule === rule));
  return [...first, ...added].map(({ rule, message }) => {
    const problem = now.find((broken) => broken.rule === rule);
    const state = problem === undefined ? stateOfOthers(desk) : 'broken';
    const says = state === 'unasked' ? 'not checked yet' : (problem?.message ?? message);
    return { rule, says, state, isBroken: state === 'broken' };
  });
}

/** A word or two inside of a control. */
export function hintOf({ field, printed, pointer }: FormField, { values }: Desk): string {
  if (printed?.otherReadings !== undefined) return field.kind === 'date' ? 'day first?' : 'two readings';
  if (field.kind !== 'currency') return '';
  const units = minorUnitsOf(get(values, pointer));
  return units === null ? '' : counted(units, 'decimal');
}

/** What was broken when it was last asked: of a misshapen record that is what was broken when it came here. */
export function unmetBefore({ sheet }: Desk): readonly { readonly rule: string; readonly pointer: string }[] {
  return sheet.unmet.flatMap(({ pointer, rules }) => rules.map(({ rule }) => ({ rule, pointer })));
}

/** Rules that object, and those that did before and cannot be asked now. */
export function countUnmet(desk: Desk): { readonly unmet: number; readonly unasked: number } {
  const { check } = desk;
  const before = unmetBefore(desk);
  if (check === null) return { unmet: before.length, unasked: 0 };
  if (check.kind !== 'misshapen') return { unmet: check.unmet.length, unasked: 0 };
  const isNow = ({ rule, pointer }: (typeof before)[number]) =>
    check.unmet.some((problem) => problem.rule === rule && problem.pointer === pointer);
  const unasked = before.filter((problem) => !isNow(problem)).length;
  return { unmet: check.unmet.length + unasked, unasked };
}
