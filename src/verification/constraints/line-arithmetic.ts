import type Big from 'big.js';
import type { Constraint, Finding, Wanted } from '../constraint.js';
import { minorUnitsOf } from '../currencies.js';
import { roundings, toDecimal, toText } from '../decimal-text.js';
import type { Making, NamedField } from '../making.js';
import { expand, get, nameAt } from '../pointer.js';

export interface LineArithmetic {
  readonly id?: string;
  readonly version?: number;
  /** Pointer of the list. */
  readonly items: string;
  /** Field names within one item. Unit prices may have more decimals than the currency. */
  readonly quantity: string;
  readonly unitPrice: string;
  readonly amount: string;
  /** Pointer of the record's currency code. */
  readonly currency: string;
}

/** In every line, quantity times unit price, rounded to the currency's smallest unit, is the amount. */
export function lineArithmetic(options: LineArithmetic): Constraint<unknown> {
  const { id = 'line-arithmetic', version = 1, items, quantity, unitPrice, amount, currency } = options;
  const column = (option: string, written: string): NamedField => ({
    option,
    written,
    role: 'number',
    columnOf: items,
  });
  return productRule({
    id,
    version,
    made: {
      by: 'lineArithmetic',
      options,
      takes: ['id', 'version', 'items', 'quantity', 'unitPrice', 'amount', 'currency'],
      names: [
        { option: 'items', written: items, role: 'list' },
        column('quantity', quantity),
        column('unitPrice', unitPrice),
        column('amount', amount),
        { option: 'currency', written: currency, role: 'currency' },
      ],
    },
    says: `In every line, ${quantity} times ${unitPrice} is ${amount}, rounded to the currency's smallest unit`,
    currency,
    products: (record) =>
      expand(record, `${items}/*`).map(({ pointer, value }) => ({
        pointer: `${pointer}/${amount}`,
        factors: [toDecimal(get(value, `/${quantity}`)), toDecimal(get(value, `/${unitPrice}`))],
        from: [`${pointer}/${quantity}`, `${pointer}/${unitPrice}`],
      })),
  });
}

export interface BaseTimesRate {
  readonly id?: string;
  readonly version?: number;
  readonly base: string;
  /** Pointer of a percentage: "19" means 19 in a hundred. */
  readonly rate: string;
  readonly amount: string;
  readonly currency: string;
}

/** Base times rate, rounded to the currency's smallest unit, is the amount: net total times tax rate is the tax. */
export function baseTimesRate(options: BaseTimesRate): Constraint<unknown> {
  const { id = 'tax-arithmetic', version = 1, base, rate, amount, currency } = options;
  return productRule({
    id,
    version,
    made: {
      by: 'baseTimesRate',
      options,
      takes: ['id', 'version', 'base', 'rate', 'amount', 'currency'],
      names: [
        { option: 'base', written: base, role: 'number' },
        { option: 'rate', written: rate, role: 'number' },
        { option: 'amount', written: amount, role: 'number' },
        { option: 'currency', written: currency, role: 'currency' },
      ],
    },
    says: `${amount} is ${base} times ${rate} percent, rounded to the currency's smallest unit`,
    currency,
    products: (record) => {
      const percent = toDecimal(get(record, rate));
      const share = percent === null ? null : percent.times('0.01');
      return [{ pointer: amount, factors: [toDecimal(get(record, base)), share], from: [base, rate] }];
    },
  });
}

interface Product {
  readonly pointer: string;
  readonly factors: readonly (Big | null)[];
  /** Pointers of the factors. */
  readonly from: readonly string[];
}

interface ProductRule {
  readonly id: string;
  readonly version: number;
  readonly made: Making;
  readonly says: string;
  readonly currency: string;
  products(record: unknown): readonly Product[];
}

function productRule(rule: ProductRule): Constraint<unknown> {
  const { id, version, made, says } = rule;
  const checked = (record: unknown): readonly Checked[] => {
    const units = minorUnitsOf(get(record, rule.currency));
    if (units === null) return [];
    return rule.products(record).flatMap((product) => checkedProduct(record, product, units));
  };
  return {
    id,
    version,
    made,
    says,
    repairable: true,
    check: (record) => checked(record).flatMap(({ finding }) => finding ?? []),
    wanted: (record) => checked(record).find(({ finding }) => finding !== null)?.wanted ?? null,
  };
}

interface Checked {
  readonly finding: Finding | null;
  readonly wanted: Wanted | null;
}

/** None while a factor or the amount is no number: that is for the schema to say. */
function checkedProduct(
  record: unknown,
  { pointer, factors, from }: Product,
  units: number,
): readonly Checked[] {
  const [left, right] = factors;
  const printed = toDecimal(get(record, pointer));
  if (printed === null || left === undefined || left === null || right === undefined || right === null)
    return [];
  const allowed = roundings(left.times(right), units);
  const expected = allowed.map((value) => toText(value, units));
  const wanted = expected.length === 1 && expected[0] !== undefined ? { pointer, value: expected[0] } : null;
  if (allowed.some((value) => value.eq(printed))) return [{ finding: null, wanted }];
  return [
    {
      wanted,
      finding: {
        pointer,
        message: `${toText(left)} times ${toText(right)} is ${toText(left.times(right))}, which is not the ${nameAt(pointer)}.`,
        expected: expected.join(' or '),
        found: toText(printed),
        computed: {
          from,
          inDoubt:
            'This is not the product of the two values that make it, but one of them breaks a rule of its own: correct that one first.',
        },
      },
    },
  ];
}
