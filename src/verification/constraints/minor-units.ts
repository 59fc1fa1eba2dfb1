import type { Constraint } from '../constraint.js';
import { minorUnitsOf } from '../currencies.js';
import { decimalPlaces, toDecimal, toText } from '../decimal-text.js';
import { manyNamed } from '../making.js';
import { expand, get } from '../pointer.js';

export interface MinorUnits {
  readonly id?: string;
  readonly version?: number;
  /** Pointer of the record's currency code. */
  readonly currency: string;
  /** Pointers or patterns of the amounts. Values that are no numbers (`not_printed`, `blank`) are passed over. */
  readonly amounts: readonly string[];
}

/** No amount has more decimals than this record's currency has: BHD 3, EUR 2, JPY 0. Trailing zeros do not count. */
export function minorUnits(options: MinorUnits): Constraint<unknown> {
  const { id = 'minor-units', version = 1, currency } = options;
  return {
    id,
    version,
    made: {
      by: 'minorUnits',
      options,
      takes: ['id', 'version', 'currency', 'amounts'],
      names: [
        { option: 'currency', written: currency, role: 'currency' },
        ...manyNamed('amounts', options.amounts, 'number'),
      ],
    },
    says: "No amount has more decimals than its currency's smallest unit (BHD 3, EUR 2, JPY 0)",
    repairable: true,
    check(record) {
      const code = get(record, currency);
      const units = minorUnitsOf(code);
      // An unknown code is for `allowedCodes` to say.
      if (units === null) return [];
      return tooManyDecimals(record, options.amounts, units, `${String(code)} has`);
    },
  };
}

export interface FixedDecimals {
  readonly id: string;
  readonly version?: number;
  readonly decimals: number;
  readonly amounts: readonly string[];
}

/**
 * No amount has more than this many decimals, whatever its currency. Prefer `minorUnits`: with amounts in dinars and
 * an exact sum this rule can be impossible to satisfy.
 */
export function fixedDecimals(options: FixedDecimals): Constraint<unknown> {
  const { id, version = 1, decimals, amounts } = options;
  return {
    id,
    version,
    made: {
      by: 'fixedDecimals',
      options,
      takes: ['id', 'version', 'decimals', 'amounts'],
      names: manyNamed('amounts', amounts, 'number'),
      fault: Number.isSafeInteger(decimals) && decimals >= 0 ? null : 'decimals must be a whole number',
    },
    says: `${[amounts].flat().join(' and ')} has at most ${decimals} decimals`,
    repairable: true,
    check: (record) => tooManyDecimals(record, amounts, decimals, 'the rule allows'),
  };
}

function tooManyDecimals(record: unknown, patterns: readonly string[], allowed: number, who: string) {
  return patterns
    .flatMap((pattern) => expand(record, pattern))
    .flatMap(({ pointer, value }) => {
      const amount = toDecimal(value);
      const places = amount === null ? 0 : decimalPlaces(amount);
      if (amount === null || places <= allowed) return [];
      return [
        {
          pointer,
          message: `The amount has ${places} decimals; ${who} ${allowed}.`,
          // Rounding is where the value would go, and what a clash with another rule is shown with.
          expected: toText(amount.round(allowed), allowed),
          found: toText(amount),
        },
      ];
    });
}
