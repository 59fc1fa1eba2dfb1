import { z } from 'zod';
import { minorUnitsOf } from '../verification/currencies.js';
import { toDecimal } from '../verification/decimal-text.js';
import type { JsonSchema } from './spec.js';

/** How a field's values are spelled, compared and looked for in the document. */
export type FieldKind =
  | 'money'
  | 'decimal'
  | 'percent'
  | 'count'
  | 'date'
  | 'currency'
  | 'identifier'
  | 'text'
  | 'choice'
  | 'list'
  | 'record';

/** One field of a record: how it is checked, how it goes over the wire, and what a person calls it. */
export interface Field<T> {
  readonly kind: FieldKind;
  /** What the document's reader would call it: "Policy number". */
  readonly title: string;
  /** What a value must look like, completing "expected ...". */
  readonly expects: string;
  readonly schema: z.ZodType<T>;
  readonly json: JsonSchema;
  /** True when `not_printed` and `blank` are values too. */
  readonly asPrinted: boolean;
  /** Fields of a record, or of the records of a list. */
  readonly children: Fields | null;
}

export type Fields = { readonly [name: string]: Field<unknown> };

/** The record that a set of fields describes. */
export type RecordOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/** Honest answers for a value that is not there: the field is not on the page, or it is and nothing is written in it. */
export type NotThere = 'not_printed' | 'blank';

const notThere = ['not_printed', 'blank'] as const;

/** NUL and lone surrogates survive JSON but no text column. */
const unstorable = /\0|\p{Surrogate}/u;

interface Leaf<T> {
  readonly kind: FieldKind;
  readonly title: string;
  readonly expects: string;
  readonly schema: z.ZodType<T>;
  readonly wire: JsonSchema;
}

function leaf<T>({ kind, title, expects, schema, wire }: Leaf<T>): Field<T> {
  const json = { title, description: `Expected: ${expects}.`, ...wire };
  return { kind, title, expects, schema, json, asPrinted: false, children: null };
}

const decimalText = z.string().refine((text) => toDecimal(text) !== null);
const decimalWire = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' };

/** An amount of money: a decimal text without separators or symbol. Its currency is a field of its own. */
export function money(title: string): Field<string> {
  const expects = 'a plain decimal text without separators or currency symbol, such as "1204.50"';
  return leaf({ kind: 'money', title, expects, schema: decimalText, wire: decimalWire });
}

/** A number that is no money, such as a quantity or a unit price of many decimals. */
export function decimal(title: string): Field<string> {
  const expects = 'a plain decimal text without separators, such as "2" or "0.1212"';
  return leaf({ kind: 'decimal', title, expects, schema: decimalText, wire: decimalWire });
}

/** A rate in percent, without the sign: "19", "7.5". */
export function percent(title: string): Field<string> {
  const expects = 'a percentage as plain decimal text without the sign, such as "19" or "7.5"';
  return leaf({ kind: 'percent', title, expects, schema: decimalText, wire: decimalWire });
}

/** A printed number of things: digits only. */
export function count(title: string): Field<string> {
  const expects = 'a whole number as text, such as "12"';
  const schema = z.string().regex(/^\d{1,15}$/);
  return leaf({ kind: 'count', title, expects, schema, wire: { type: 'string', pattern: '^\\d+$' } });
}

/** An ISO 4217 code in capitals: "EUR". */
export function currencyCode(title: string): Field<string> {
  const expects = 'an ISO 4217 currency code in capitals, such as "EUR"';
  const schema = z.string().refine((code) => minorUnitsOf(code) !== null);
  return leaf({ kind: 'currency', title, expects, schema, wire: { type: 'string', pattern: '^[A-Z]{3}$' } });
}

/** A date without a time, as "2024-11-03". Days that no calendar has are refused. */
export function isoDate(title: string): Field<string> {
  const expects = 'a date as YYYY-MM-DD';
  return leaf({
    kind: 'date',
    title,
    expects,
    schema: z.iso.date(),
    wire: { type: 'string', format: 'date' },
  });
}

/** A number or code that names something, exactly as printed. Never calculated with. */
export function identifier(title: string): Field<string> {
  const expects = 'the number or code exactly as printed, on one line';
  return leaf({ kind: 'identifier', title, expects, schema: oneLine(200), wire: { type: 'string' } });
}

/** Words as printed: names, descriptions. */
export function text(title: string): Field<string> {
  return leaf({
    kind: 'text',
    title,
    expects: 'the words as printed',
    schema: oneLine(2000),
    wire: { type: 'string' },
  });
}

/** One of a few fixed words, which need not be printed as such. */
export function choice<const V extends string>(title: string, values: readonly V[]): Field<V> {
  const schema = z.enum(values);
  const expects = `one of ${values.map((value) => `"${value}"`).join(', ')}`;
  return leaf({ kind: 'choice', title, expects, schema, wire: { type: 'string', enum: [...values] } });
}

/**
 * A field that a document may leave out: its value, or `not_printed` when the document has no such field, or `blank`
 * when it has one with nothing in it. Without an honest way out, a model invents.
 */
export function asPrinted<T extends string>(inner: Field<T>): Field<T | NotThere> {
  const { title, description, ...wire } = inner.json;
  return {
    ...inner,
    asPrinted: true,
    expects: `${inner.expects}, or "not_printed" when the document has no such field, or "blank" when it is empty`,
    schema: z.union([inner.schema, z.enum(notThere)]),
    json: {
      title,
      description: `${String(description)} "not_printed" if the document has no such field, "blank" if it is there but empty.`,
      anyOf: [wire, { type: 'string', enum: [...notThere] }],
    },
  };
}

/** A list of records, at least one: an empty list is how dropped rows look. */
export function list<F extends Fields>(title: string, fields: F): Field<readonly RecordOf<F>[]> {
  const item = record(title, fields);
  return {
    kind: 'list',
    title,
    expects: 'a list with every row of the document, at least one',
    schema: z.array(item.schema).min(1),
    json: {
      title,
      description: 'Every row, in the order of the document.',
      type: 'array',
      items: item.json,
      minItems: 1,
    },
    asPrinted: false,
    children: fields,
  };
}

/** A group of fields; all required, no others. */
export function record<F extends Fields>(title: string, fields: F): Field<RecordOf<F>> {
  const entries = Object.entries(fields);
  const shape = Object.fromEntries(entries.map(([name, field]) => [name, field.schema]));
  return {
    kind: 'record',
    title,
    expects: `an object with exactly the fields ${Object.keys(fields).join(', ')}`,
    // The shape holds exactly the schemas that the type is made of.
    schema: z.strictObject(shape) as unknown as z.ZodType<RecordOf<F>>,
    json: {
      type: 'object',
      title,
      properties: Object.fromEntries(entries.map(([name, field]) => [name, field.json])),
      required: Object.keys(fields),
      additionalProperties: false,
    },
    asPrinted: false,
    children: fields,
  };
}

function oneLine(maximum: number): z.ZodType<string> {
  return z
    .string()
    .max(maximum)
    .refine((value) => value.trim() !== '' && !unstorable.test(value));
}
