import { minorUnitsOf } from '../../verification/currencies.js';
import { get } from '../../verification/pointer.js';
import { counted } from '../parts/format.js';
import type { Desk } from '../review-desk.js';
import type { FormField } from '../review-form.js';

/** Rules that were broken when it came here, and those that are now: the first stay in sight when they hold again. */
export function rulesAt({ sheet, check }: Desk, pointer: string) {
  const first = sheet.unmet.find((field) => field.pointer === pointer)?.rules ?? [];
  const now = (check?.unmet ?? []).filter((problem) => problem.pointer === pointer);
  const added = now.filter(({ rule }) => !first.some((known) => known.rule === rule));
  return [...first, ...added].map(({ rule, message }) => {
    const broken = check === null ? true : now.some((problem) => problem.rule === rule);
    return { rule, says: now.find((problem) => problem.rule === rule)?.message ?? message, isBroken: broken };
  });
}

/** A word or two inside of a control. */
export function hintOf({ field, printed, pointer }: FormField, { values }: Desk): string {
  if (printed?.otherReadings !== undefined) return field.kind === 'date' ? 'day first?' : 'two readings';
  if (field.kind !== 'currency') return '';
  const units = minorUnitsOf(get(values, pointer));
  return units === null ? '' : counted(units, 'decimal');
}
