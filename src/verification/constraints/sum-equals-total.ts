import Big from 'big.js';
import type { Constraint, Finding } from '../constraint.js';
import { minorUnitsOf } from '../currencies.js';
import { printedPlaces, toDecimal, toText } from '../decimal-text.js';
import { type Making, manyNamed, maybeNamed } from '../making.js';
import { expand, get, type Located, nameAt } from '../pointer.js';

export interface SumEqualsTotal {
  readonly id: string;
  readonly version?: number;
  readonly says?: string;
  // Patterns of the amounts to add, such as /line_items/*/amount; one that names nothing breaks the rule.
  readonly addends: readonly string[];
  readonly total: string;
  /** A printed rounding amount to add where it is a number; `not_printed` and `blank` add nothing. */
  readonly rounding?: string;
  /** How far the total may be off. Left out: not at all. */
  readonly tolerance?: Tolerance;
}

export type Tolerance =
  | { readonly kind: 'amount'; readonly amount: string }
  /** Half the smallest unit of the record's currency for each addend: what rounding each line can add up to. */
  | { readonly kind: 'half_minor_unit_each'; readonly currency: string };

/** The addends sum up to the total. An absent or empty list of addends breaks it: nothing sums up to nothing. */
export function sumEqualsTotal(options: SumEqualsTotal): Constraint<unknown> {
  const { id, total, version = 1, tolerance } = options;
  const says = options.says ?? `${total} is the sum of ${[options.addends].flat().join(' and ')}`;
  return {
    id,
    version,
    made: makingOf(options),
    says,
    repairable: true,
    noticesLostRows: [options.addends].flat().some((pattern) => String(pattern).includes('*')),
    check(record) {
      const missing = options.addends.filter((pattern) => expand(record, pattern).length === 0);
      if (missing.length > 0) return missing.map((pattern) => nothingToAdd(pattern));
      const sum = sumOf(record, options);
      const printed = toDecimal(get(record, total));
      // What is no number at all is for the schema to say.
      if (sum === null || printed === null) return [];
      const allowed = toleranceOf(record, options);
      if (sum.value.minus(printed).abs().lte(allowed)) return [];
      const expected = toText(sum.value, sum.places);
      const slack = allowed.eq(0) ? '' : ` (a difference up to ${toText(allowed)} is allowed)`;
      return [
        {
          pointer: total,
          message: `The amounts add up to ${expected}, which is not the ${nameAt(total)}${slack}.`,
          expected,
          found: toText(printed, sum.places),
          computed: {
            from: addendsOf(record, options).map(({ pointer }) => pointer),
            inDoubt: `The amounts do not add up to the ${nameAt(total)}, but one of them breaks a rule of its own: correct that one first.`,
          },
        },
      ];
    },
    wanted(record) {
      if (tolerance !== undefined) return null;
      const sum = sumOf(record, options);
      return sum === null ? null : { pointer: total, value: toText(sum.value, sum.places) };
    },
  };
}

function makingOf(options: SumEqualsTotal): Making {
  const { addends, total, rounding, tolerance } = options;
  const currency = tolerance?.kind === 'half_minor_unit_each' ? [tolerance.currency] : [];
  return {
    by: 'sumEqualsTotal',
    options,
    takes: ['id', 'version', 'says', 'addends', 'total', 'rounding', 'tolerance'],
    names: [
      ...manyNamed('addends', addends, 'number'),
      { option: 'total', written: total, role: 'number' },
      ...maybeNamed('rounding', rounding, 'number'),
      ...currency.map((written) => ({ option: 'tolerance.currency', written, role: 'currency' }) as const),
    ],
    fault: tolerance === undefined ? null : toleranceFault(tolerance),
  };
}

function toleranceFault(tolerance: Tolerance): string | null {
  if (tolerance.kind === 'half_minor_unit_each') return null;
  if (tolerance.kind !== 'amount') return 'tolerance.kind must be "amount" or "half_minor_unit_each"';
  const allowed = toDecimal(tolerance.amount);
  return allowed === null || allowed.lt(0)
    ? 'tolerance.amount must be a plain decimal text, 0 or more'
    : null;
}

function nothingToAdd(pattern: string): Finding {
  const pointer = pattern.replace(/\/\*.*$/, '');
  return { pointer, message: 'There is nothing to add up.', expected: 'at least one amount', found: 'none' };
}

/** The exact sum and the decimals to print it with; null while an addend is no number or there is none. */
function sumOf(record: unknown, options: SumEqualsTotal): { value: Big; places: number } | null {
  const amounts = addendsOf(record, options).map(({ value }) => value);
  const decimals = amounts.map(toDecimal);
  if (decimals.length === 0 || decimals.includes(null)) return null;
  const rounding = options.rounding === undefined ? null : toDecimal(get(record, options.rounding));
  const value = [...decimals, rounding].reduce<Big>(
    (sum, next) => (next === null ? sum : sum.plus(next)),
    new Big(0),
  );
  return { value, places: Math.max(...amounts.map((amount) => printedPlaces(String(amount)))) };
}

function addendsOf(record: unknown, options: SumEqualsTotal): readonly Located[] {
  return options.addends.flatMap((pattern) => expand(record, pattern));
}

function toleranceOf(record: unknown, options: SumEqualsTotal): Big {
  const { tolerance } = options;
  if (tolerance === undefined) return new Big(0);
  if (tolerance.kind === 'amount') return new Big(tolerance.amount);
  const units = minorUnitsOf(get(record, tolerance.currency));
  return units === null ? new Big(0) : new Big(`0.5e-${units}`).times(addendsOf(record, options).length);
}
