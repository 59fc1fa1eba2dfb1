import type { Constraint } from '../constraint.js';
import { toDecimal, toText } from '../decimal-text.js';
import { manyNamed } from '../making.js';
import { expand, get } from '../pointer.js';

export interface AllowedCodes {
  readonly id: string;
  readonly version?: number;
  readonly says?: string;
  /** Pointer or pattern of the codes. */
  readonly codes: string;
  readonly allowed: readonly string[];
}

/** Every code is one of the allowed ones, letter case included: no reply mode promises the case of a code. */
export function allowedCodes(options: AllowedCodes): Constraint<unknown> {
  const { id, version = 1, codes } = options;
  const allowed = new Set([options.allowed].flat());
  // A list of all currencies would fill the prompt and the feedback.
  const expected = allowed.size <= 12 ? [...allowed].join(', ') : 'a code of the list';
  return {
    id,
    version,
    made: {
      by: 'allowedCodes',
      options,
      takes: ['id', 'version', 'says', 'codes', 'allowed'],
      names: [{ option: 'codes', written: codes, role: 'value', many: true }],
      fault: Array.isArray(options.allowed) ? null : 'allowed must be a list of codes',
    },
    says: options.says ?? `${codes} is one of: ${expected}`,
    repairable: true,
    check: (record) =>
      expand(record, codes).flatMap(({ pointer, value }) =>
        typeof value === 'string' && allowed.has(value)
          ? []
          : [{ pointer, message: 'This code is not allowed.', expected, found: String(value) }],
      ),
  };
}

export interface DateOrder {
  readonly id: string;
  readonly version?: number;
  readonly earlier: string;
  readonly later: string;
}

const isoDate = /^\d{4}-\d{2}-\d{2}$/;

/** One date is not after the other. ISO dates compare as text, so no time zone is ever involved. */
export function dateOrder(options: DateOrder): Constraint<unknown> {
  const { id, version = 1, earlier, later } = options;
  return {
    id,
    version,
    made: {
      by: 'dateOrder',
      options,
      takes: ['id', 'version', 'earlier', 'later'],
      names: [
        { option: 'earlier', written: earlier, role: 'date' },
        { option: 'later', written: later, role: 'date' },
      ],
    },
    says: `${earlier} is not after ${later}`,
    repairable: true,
    check(record) {
      const [first, second] = [get(record, earlier), get(record, later)];
      if (!isDate(first) || !isDate(second) || first <= second) return [];
      return [
        {
          pointer: later,
          message: `This date lies before ${earlier}.`,
          expected: `${first} or later`,
          found: second,
        },
      ];
    },
  };
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && isoDate.test(value);
}

export interface SignByDocumentType {
  readonly id?: string;
  readonly version?: number;
  /** Pointer of the document's type. */
  readonly type: string;
  /** Types whose amounts are zero or less; those of every other type are zero or more. */
  readonly negative: readonly string[];
  readonly amounts: readonly string[];
}

/** Totals of a credit note are not positive, totals of an invoice are not negative. */
export function signByDocumentType(options: SignByDocumentType): Constraint<unknown> {
  const { id = 'sign-by-document-type', version = 1, type, negative, amounts } = options;
  return {
    id,
    version,
    made: {
      by: 'signByDocumentType',
      options,
      takes: ['id', 'version', 'type', 'negative', 'amounts'],
      names: [
        { option: 'type', written: type, role: 'value', values: [negative].flat() },
        ...manyNamed('amounts', amounts, 'number'),
      ],
      fault: Array.isArray(negative) ? null : 'negative must be a list of types',
    },
    says: `${[amounts].flat().join(', ')} are zero or less for ${[negative].flat().join(', ')}, zero or more otherwise`,
    repairable: true,
    check(record) {
      const kind = get(record, type);
      if (typeof kind !== 'string') return [];
      const sign = negative.includes(kind) ? -1 : 1;
      return amounts
        .flatMap((pattern) => expand(record, pattern))
        .flatMap(({ pointer, value }) => {
          const amount = toDecimal(value);
          if (amount === null || amount.times(sign).gte(0)) return [];
          return [
            {
              pointer,
              message: `The sign does not fit a document of type ${kind}.`,
              expected: toText(amount.times(-1)),
              found: toText(amount),
            },
          ];
        });
    },
  };
}
