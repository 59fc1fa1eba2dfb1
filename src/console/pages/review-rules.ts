import { minorUnitsOf } from '../../verification/currencies.js';
import { get } from '../../verification/pointer.js';
import { counted } from '../parts/format.js';
import type { Sign } from '../parts/marks.js';
import type { Desk } from '../review-desk.js';
import type { FormField } from '../review-form.js';

/** `unasked`: a field is missing or misshapen, and until it is mended no rule is asked anything. */
export type RuleState = 'broken' | 'holds' | 'unasked';

/** Whether the rules were asked of the values: just now, or by the run that left them. */
function isAsked({ check, from, sheet }: Desk): boolean {
  return check === null ? from === 'candidate' && sheet.candidate !== null : check.kind !== 'misshapen';
}

/** What the rules said of the candidate; of a reply that gave none they said nothing. */
function unmetOf({ candidate, unmet }: Desk['sheet']) {
  return candidate === null ? [] : unmet;
}

/** How rules stand that object to nothing just now. */
function stateOfOthers({ check }: Desk): RuleState {
  return check === null ? 'broken' : check.kind === 'misshapen' ? 'unasked' : 'holds';
}

/** Rules that were broken when it came here, and those that are now: the first stay in sight when they hold again. */
export function rulesAt(desk: Desk, pointer: string) {
  const { sheet, check } = desk;
  const first = unmetOf(sheet).find((field) => field.pointer === pointer)?.rules ?? [];
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
  return unmetOf(sheet).flatMap(({ pointer, rules }) => rules.map(({ rule }) => ({ rule, pointer })));
}

/** What is in the way of approving, and what nobody asked yet, in a few words. */
export function sayUnmet(desk: Desk): { readonly words: string; readonly isMet: boolean } {
  const { check } = desk;
  const before = unmetBefore(desk);
  if (check === null) {
    if (isAsked(desk) && before.length === 0) return { words: 'every rule holds', isMet: true };
    return { words: isAsked(desk) ? `${before.length} unmet` : 'not checked yet', isMet: false };
  }
  if (check.kind !== 'misshapen') {
    const { length } = check.unmet;
    return length === 0
      ? { words: 'every rule holds', isMet: true }
      : { words: `${length} unmet`, isMet: false };
  }
  const isNow = ({ rule, pointer }: (typeof before)[number]) =>
    check.unmet.some((problem) => problem.rule === rule && problem.pointer === pointer);
  const unasked = before.filter((problem) => !isNow(problem)).length;
  const those = unasked === 0 ? 'rules' : `${unasked} of them`;
  return { words: `${check.unmet.length + unasked} unmet, ${those} not checked yet`, isMet: false };
}

/** The mark beside a field, a row or a line of the form. */
export function signOf(
  desk: Desk,
  {
    isUnmet,
    isEmpty,
    hasTwo = false,
  }: { readonly isUnmet: boolean; readonly isEmpty: boolean; readonly hasTwo?: boolean },
): readonly [Sign, string] {
  if (isEmpty) return ['unread', 'not read'];
  if (isUnmet) return ['broken', 'a rule is broken'];
  if (hasTwo) return ['warning', 'can be read in two ways'];
  return isAsked(desk) ? ['holds', 'no rule objects'] : ['unread', 'not checked yet'];
}
