import type { Constraint } from '../verification/constraint.js';
import { printedInDocument } from '../verification/constraints/printed-in-document.js';
import { join } from '../verification/pointer.js';
import type { Field, Fields } from './field.js';

/**
 * One rule for every field that documents print, named `printed/<field>`: nothing is invented unless a field says that
 * it is not printed as it is spelled. Fields of lists are looked for row by row.
 */
export function printedRules(fields: Fields): readonly Constraint<unknown>[] {
  const currency = Object.entries(fields).find(([, field]) => field.kind === 'currency')?.[0];
  const pointer = currency === undefined ? {} : { currency: join('', currency) };
  const rules = (inner: Fields, parent: string, isList: boolean): readonly Constraint<unknown>[] =>
    Object.entries(inner).flatMap(([name, field]) => {
      const at = join(parent, name);
      if (field.children !== null) {
        return rules(field.children, field.kind === 'list' ? `${at}/*` : at, isList || field.kind === 'list');
      }
      return printedRule(at, field, isList, pointer);
    });
  return rules(fields, '', false);
}

function printedRule(
  pointer: string,
  { print }: Field<unknown>,
  isList: boolean,
  currency: { readonly currency?: string },
): readonly Constraint<unknown>[] {
  if (print === null) return [];
  const { kind, labels, printed, anySign = false } = print;
  const atLabel = printed === 'at_label';
  // The labels of a list stand over its columns, not beside its values.
  return [
    printedInDocument({ field: pointer, kind, anySign, atLabel, ...currency, ...(isList ? {} : { labels }) }),
  ];
}
