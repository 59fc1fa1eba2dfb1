import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allowedCodes,
  asPrinted,
  baseTimesRate,
  choice,
  count,
  currencyCode,
  dateOrder,
  decimal,
  defineSpec,
  defineTemplate,
  fixedDecimals,
  identifier,
  isoDate,
  lineArithmetic,
  list,
  minorUnits,
  money,
  percent,
  printedInDocument,
  printedRowCount,
  record,
  SpecError,
  signByDocumentType,
  sumEqualsTotal,
  text,
} from '../../src/spec/index.js';

const fields = {
  type: asPrinted(choice('Type', ['receipt', 'refund'])),
  number: identifier('Number'),
  issued: isoDate('Issued'),
  due: asPrinted(isoDate('Due')),
  currency: currencyCode('Currency'),
  lines: list('Lines', {
    description: text('Description'),
    quantity: decimal('Quantity'),
    unit_price: money('Unit price'),
    amount: money('Amount'),
    parts: list('Parts', { weight: decimal('Weight') }),
  }),
  row_count: count('Rows'),
  tax: record('Tax', { rate: percent('Rate'), amount: money('Tax amount') }),
  total: money('Total'),
};

const define = (constraints: readonly unknown[], more: object = {}) =>
  defineSpec({
    id: 'receipt',
    title: 'Receipt',
    schemaVersion: '1',
    prompt: { version: '1', text: 'Read it.' },
    fields,
    constraints,
    ...more,
  } as never);

const lines = {
  items: '/lines',
  quantity: 'quantity',
  unitPrice: 'unit_price',
  amount: 'amount',
  currency: '/currency',
};
const sum = { id: 'sum', addends: ['/lines/*/amount'], total: '/total' };

describe('ready-made rules that name fields of the spec', () => {
  it('are taken, in every way a name can be written', () => {
    const tolerance = { kind: 'half_minor_unit_each', currency: '/currency' } as const;
    const spec = define([
      lineArithmetic(lines),
      sumEqualsTotal({ ...sum, rounding: '/tax/amount', tolerance }),
      sumEqualsTotal({
        id: 'weights',
        addends: ['/lines/*/parts/*/weight', '/lines/0/amount'],
        total: '/total',
      }),
      minorUnits({ currency: '/currency', amounts: ['/total', '/lines/*/amount'] }),
      fixedDecimals({ id: 'fixed', decimals: 2, amounts: ['/tax/amount'] }),
      baseTimesRate({ base: '/total', rate: '/tax/rate', amount: '/tax/amount', currency: '/currency' }),
      printedRowCount({ items: '/lines', count: '/row_count' }),
      dateOrder({ id: 'dates', earlier: '/issued', later: '/due' }),
      allowedCodes({ id: 'codes', codes: '/currency', allowed: ['EUR'] }),
      signByDocumentType({ type: '/type', negative: ['refund'], amounts: ['/total'] }),
      printedInDocument({ id: 'again', field: '/lines/*/amount', kind: 'money', currency: '/currency' }),
    ]);
    expect(spec.constraints.filter(({ made }) => made !== undefined).length).toBe(spec.constraints.length);
  });
});

describe('a ready-made rule that would hold for every record', () => {
  const any = (make: (options: never) => unknown, options: unknown) => make(options as never);
  it.each<[string, () => unknown, string]>([
    [
      'a column of another name',
      () => lineArithmetic({ ...lines, quantity: 'qty' }),
      'the rule "line-arithmetic" (lineArithmetic) names "qty" as quantity, which is no field of /lines; did you mean "quantity"?',
    ],
    [
      'a column that is no number',
      () => lineArithmetic({ ...lines, quantity: 'description' }),
      'the rule "line-arithmetic" (lineArithmetic) names "description" as quantity, which is a text; quantity must be a number (money, decimal, percent or count).',
    ],
    [
      'a column written as a pointer',
      () => lineArithmetic({ ...lines, amount: '/amount' }),
      'the rule "line-arithmetic" (lineArithmetic) names "/amount" as amount, which is no field of /lines; did you mean "amount"?',
    ],
    [
      'a list of another name',
      () => lineArithmetic({ ...lines, items: '/line' }),
      'the rule "line-arithmetic" (lineArithmetic) names /line as items, which is no field of this spec; did you mean /lines?',
    ],
    [
      'a total of another name',
      () => sumEqualsTotal({ ...sum, total: '/totl' }),
      'the rule "sum" (sumEqualsTotal) names /totl as total, which is no field of this spec; did you mean /total?',
    ],
    [
      'a total without its slash',
      () => sumEqualsTotal({ ...sum, total: 'total' }),
      'the rule "sum" (sumEqualsTotal) names total as total, which is no field of this spec; did you mean /total?',
    ],
    [
      'a total in every row',
      () => sumEqualsTotal({ ...sum, total: '/lines/*/amount' }),
      'the rule "sum" (sumEqualsTotal) names /lines/*/amount as total, which is a value of every row; total must name one value.',
    ],
    [
      'addends that are the list itself',
      () => sumEqualsTotal({ ...sum, addends: ['/lines'] }),
      'the rule "sum" (sumEqualsTotal) names /lines as addends, which is a list; addends must be a number (money, decimal, percent or count).',
    ],
    [
      'addends within another list',
      () => sumEqualsTotal({ ...sum, addends: ['/lines/*/parts/*/wieght'] }),
      'the rule "sum" (sumEqualsTotal) names /lines/*/parts/*/wieght as addends, which is no field of this spec; did you mean /lines/*/parts/*/weight?',
    ],
    [
      'addends that are no list of names',
      () => any(sumEqualsTotal, { ...sum, addends: '/total' }),
      'the rule "sum" (sumEqualsTotal) names no field as addends; give it pointers such as /lines/*/quantity.',
    ],
    [
      'a rounding of another name',
      () => sumEqualsTotal({ ...sum, rounding: '/rounding' }),
      'the rule "sum" (sumEqualsTotal) names /rounding as rounding, which is no field of this spec; the nearest is /row_count.',
    ],
    [
      'a currency of a tolerance that is none',
      () => sumEqualsTotal({ ...sum, tolerance: { kind: 'half_minor_unit_each', currency: '/number' } }),
      'the rule "sum" (sumEqualsTotal) names /number as tolerance.currency, which is an identifier; tolerance.currency must be a currencyCode, or a choice of currency codes.',
    ],
    [
      'a tolerance that is no amount',
      () => sumEqualsTotal({ ...sum, tolerance: { kind: 'amount', amount: 'a cent' } }),
      'the rule "sum" (sumEqualsTotal) cannot be asked: tolerance.amount must be a plain decimal text, 0 or more.',
    ],
    [
      'a tolerance of another kind',
      () => any(sumEqualsTotal, { ...sum, tolerance: { kind: 'percent', amount: '1' } }),
      'the rule "sum" (sumEqualsTotal) cannot be asked: tolerance.kind must be "amount" or "half_minor_unit_each".',
    ],
    [
      'codes that are no list',
      () => any(allowedCodes, { id: 'codes', codes: '/currency', allowed: 'EUR' }),
      'the rule "codes" (allowedCodes) cannot be asked: allowed must be a list of codes.',
    ],
    [
      'half a decimal',
      () => fixedDecimals({ id: 'fixed', decimals: 0.5, amounts: ['/total'] }),
      'the rule "fixed" (fixedDecimals) cannot be asked: decimals must be a whole number.',
    ],
    [
      'types that are no list',
      () => any(signByDocumentType, { id: 'sign', type: '/type', negative: 'refund', amounts: ['/total'] }),
      'the rule "sign" (signByDocumentType) cannot be asked: negative must be a list of types.',
    ],
    [
      'an option of another name',
      () => any(sumEqualsTotal, { ...sum, tolerence: {} }),
      'the rule "sum" (sumEqualsTotal) has no option "tolerence"; did you mean "tolerance"?',
    ],
    [
      'an option left out',
      () => any(lineArithmetic, { ...lines, quantity: undefined }),
      'the rule "line-arithmetic" (lineArithmetic) names no field as quantity; give it one such as "quantity".',
    ],
    [
      'a currency of another name',
      () => minorUnits({ currency: '/curency', amounts: ['/total'] }),
      'the rule "minor-units" (minorUnits) names /curency as currency, which is no field of this spec; did you mean /currency?',
    ],
    [
      'amounts of another name',
      () => fixedDecimals({ id: 'two', decimals: 2, amounts: ['/total', '/tax'] }),
      'the rule "two" (fixedDecimals) names /tax as amounts, which is a record; amounts must be a number (money, decimal, percent or count).',
    ],
    [
      'a rate of another name',
      () => baseTimesRate({ base: '/total', rate: '/tax/rat', amount: '/tax/amount', currency: '/currency' }),
      'the rule "tax-arithmetic" (baseTimesRate) names /tax/rat as rate, which is no field of this spec; did you mean /tax/rate?',
    ],
    [
      'a date that is none',
      () => dateOrder({ id: 'dates', earlier: '/number', later: '/due' }),
      'the rule "dates" (dateOrder) names /number as earlier, which is an identifier; earlier must be an isoDate.',
    ],
    [
      'a count of another name',
      () => printedRowCount({ items: '/lines', count: '/rowcount' }),
      'the rule "line-count-as-printed" (printedRowCount) names /rowcount as count, which is no field of this spec; did you mean /row_count?',
    ],
    [
      'a type that cannot be',
      () => signByDocumentType({ type: '/type', negative: ['refnud'], amounts: ['/total'] }),
      'the rule "sign-by-document-type" (signByDocumentType) waits for "refnud" in /type (type), which that field cannot be; did you mean "refund"?',
    ],
    [
      'codes of another name',
      () => allowedCodes({ id: 'codes', codes: '/lines/*/code', allowed: ['A'] }),
      'the rule "codes" (allowedCodes) names /lines/*/code as codes, which is no field of this spec; did you mean /lines/*/amount?',
    ],
    [
      'a print of another name',
      () => printedInDocument({ field: '/totals', kind: 'money' }),
      'the rule "printed/totals" (printedInDocument) names /totals as field, which is no field of this spec; did you mean /total?',
    ],
    [
      'a print of no kind',
      () => any(printedInDocument, { id: 'p', field: '/total', kind: 'amount' }),
      'the rule "p" (printedInDocument) cannot be asked: kind must be one of money, decimal, count, percent, date, currency, identifier, text.',
    ],
  ])('is refused for %s', (_, rule, says) => {
    expect(() => define([rule()])).toThrow(new SpecError(`The spec "receipt" cannot be used: ${says}`));
  });

  const inside = [
    '/total',
    '/tax/rate',
    '/tax/amount',
    '/row_count',
    '/lines/0/amount',
    '/lines/7/parts/2/weight',
  ];
  it('is refused for any pointer outside of the fields, and taken for any number within', () => {
    const token = fc.oneof(
      fc.constantFrom('total', 'lines', 'tax', 'rate', 'amount', 'parts', '0', '*', 'Total', ''),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 5 }), (tokens) => {
        const total = tokens.map((each) => `/${each}`).join('');
        const indexed = total.replace(/^\/lines\/\d+\//, '/lines/0/').replace(/\/parts\/\d+\//, '/parts/2/');
        const isInside =
          inside.includes(indexed) || /^\/lines\/0\/(quantity|unit_price|parts\/2\/weight)$/.test(indexed);
        const made = () => define([sumEqualsTotal({ ...sum, total })]);
        if (isInside) expect(made).not.toThrow();
        else
          expect(made).toThrow(/^The spec "receipt" cannot be used: the rule "sum" \(sumEqualsTotal\) [^\n]/);
      }),
    );
    for (const total of inside) expect(() => define([sumEqualsTotal({ ...sum, total })])).not.toThrow();
  });

  it('is refused for any misspelling of a pattern, and says what was meant', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('/lines/*/amount', '/lines/*/parts/*/weight', '/total', '/tax/amount'),
        fc.nat(),
        (pattern, at) => {
          // One letter of the last name is dropped.
          const from = pattern.lastIndexOf('/') + 1;
          const cut = from + (at % (pattern.length - from));
          const misspelt = pattern.slice(0, cut) + pattern.slice(cut + 1);
          expect(() => define([sumEqualsTotal({ ...sum, addends: [misspelt] })])).toThrow(
            `names ${misspelt} as addends, which is no field of this spec; did you mean ${pattern}?`,
          );
        },
      ),
    );
  });
});

describe('functions of the author', () => {
  const own = (more: object) => ({
    id: 'own',
    version: 1,
    says: 'Own',
    repairable: true,
    check: () => [],
    ...more,
  });

  it('are refused when they read a field that there is not', () => {
    expect(() =>
      define([], { amount: (read: never) => ({ amount: read['totl'], currency: 'EUR' }) }),
    ).toThrow(
      'The spec "receipt" cannot be used: amount reads "totl", which is no field there; did you mean "total"?',
    );
    const check = (read: { lines: { amnt: string }[] }) =>
      read.lines.some(({ amnt }) => amnt === '0') ? [] : [];
    expect(() => define([own({ check })])).toThrow(
      'the rule "own" reads "amnt", which is no field there; did you mean "amount"?',
    );
    expect(() => define([own({ wanted: () => ({ pointer: '/totl', value: '1' }) })])).toThrow(
      'the rule "own" wants a value of /totl, which is no field of this spec; did you mean "/total"?',
    );
  });

  it('are taken when they read what is there, stumble over a made-up record, or look at it as a whole', () => {
    const check = (read: Record<string, unknown>) => {
      if (Object.keys(read).length === 0 || JSON.stringify(read) === '' || `${{ ...read }}` === '') return [];
      if ('toString' in read && String(read['total']) !== '') throw new Error('no such document');
      return [];
    };
    const wanted = () => ({ pointer: '/lines/0/amount', value: '1' });
    const amount = (read: { total: string; lines: { amount: string }[] }) => ({
      amount: read.lines[3]?.amount ?? read.total,
      currency: 'EUR',
    });
    expect(define([own({ check, wanted })], { amount }).constraints[0]?.id).toBe('own');
  });
});

describe('options of fields and templates', () => {
  const loosely =
    (make: unknown, ...given: unknown[]) =>
    () =>
      (make as (...given: unknown[]) => unknown)(...given);
  it('are refused when they are misspelt', () => {
    const refused = 'The field "Total" cannot be used: ';
    expect(loosely(money, 'Total', { label: ['Sum'] })).toThrow(
      `${refused}it has no option "label"; did you mean "labels"?`,
    );
    expect(loosely(money, 'Total', { printed: 'at_lable' })).toThrow(
      `${refused}printed cannot be "at_lable"; did you mean "at_label"?`,
    );
    expect(loosely(money, 'Total', { labels: 'Sum' })).toThrow(`${refused}labels must be a list of texts.`);
    expect(loosely(money, 'Total', ['Sum'])).toThrow(
      `${refused}its second argument must be an object of labels, printed, anySign.`,
    );
    const template = (field: object) =>
      loosely(defineTemplate, { id: 'a', detect: [/x/], fields: { total: field } });
    expect(template({ pattern: /(?<value>x)/, type: 'mony' })).toThrow(
      'The template "a" cannot be used: the type of "total" cannot be "mony"; did you mean "money"?',
    );
    expect(template({ pattern: 'x', type: 'money' })).toThrow(
      'the pattern of "total" must be a regular expression.',
    );
  });

  it('and parts of a spec that are no fields, rules or templates', () => {
    expect(() => define([], { fields: { total: 'money' } })).toThrow(
      'The spec "receipt" cannot be used: "fields.total" must be made by a field type, such as text("Name").',
    );
    expect(() => define([{ id: 'x' }])).toThrow(
      '"constraints.0" must be a rule: ready-made, or { id, version, says, repairable, check }.',
    );
    expect(() => define([], { templates: [{}] })).toThrow('"templates.0" must be made by defineTemplate.');
  });
});
