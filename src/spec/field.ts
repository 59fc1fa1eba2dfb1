import { z } from 'zod';
import { suggestion } from '../domain/nearest-word.js';
import { minorUnitsOf } from '../verification/currencies.js';
import { toDecimal } from '../verification/decimal-text.js';
import type { PrintKind } from '../verification/grounding/locate.js';
import type { JsonSchema } from './json-schema.js';
import { SpecError } from './spec-error.js';

/** How a field's values are spelled and compared. */
export type FieldKind = PrintKind | 'choice' | 'list' | 'record';

/** How documents print a field. All left out: the value must be printed anywhere, and the title is its only label. */
export interface Print {
  /** What documents print beside the field, besides its title. */
  readonly labels?: readonly string[];
  /**
   * `anywhere`: but where a label has a value beside it, it must be that one. `at_label`: beside or below a label only,
   * for values that also occur elsewhere. `no`: not printed as it is spelled here, so nothing is looked for.
   */
  readonly printed?: 'anywhere' | 'at_label' | 'no';
  /** True when documents print the value with or without its minus. */
  readonly anySign?: boolean;
}

/** One field of a record: how it is checked, how it goes over the wire, and what a person calls it. */
export interface Field<T> {
  readonly kind: FieldKind;
  /** What the document's reader would call it: "Policy number". */
  readonly title: string;
  /** What a value must look like, completing "expected ...". */
  readonly expects: string;
  readonly schema: z.ZodType<T>;
  readonly json: JsonSchema;
  /** Null when nothing is looked for in the document. */
  readonly print: ({ readonly kind: PrintKind; readonly labels: readonly string[] } & Print) | null;
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
  readonly kind: PrintKind;
  readonly expects: string;
  readonly schema: z.ZodType<T>;
  readonly wire: JsonSchema;
}

function refusal(title: string, why: string): SpecError {
  return new SpecError(`The field "${title}" cannot be used: ${why}`);
}

/** Spec files run without a type checker. */
function assertTitle(title: unknown): void {
  if (typeof title !== 'string')
    throw new SpecError('A field cannot be used: its first argument must be its title, such as "Total".');
}

/** A misspelt option would say nothing. */
function assertPrint(title: string, print: Print): void {
  assertTitle(title);
  const refuse = (why: string) => refusal(title, why);
  if (typeof print !== 'object' || print === null || Array.isArray(print))
    throw refuse(`its second argument must be an object of ${printOptions.join(', ')}.`);
  const unknown = Object.keys(print).find((option) => !printOptions.includes(option));
  if (unknown !== undefined)
    throw refuse(`it has no option "${unknown}"${suggestion(unknown, printOptions)}`);
  const { labels = [], printed = 'anywhere' } = print;
  if (!Array.isArray(labels) || labels.some((label) => typeof label !== 'string' || label.trim() === ''))
    throw refuse('labels must be a list of texts.');
  if (!printedWays.includes(printed))
    throw refuse(`printed cannot be "${String(printed)}"${suggestion(String(printed), printedWays)}`);
}

const printOptions: readonly string[] = ['labels', 'printed', 'anySign'];
const printedWays: readonly string[] = ['anywhere', 'at_label', 'no'];

function leaf<T>(title: string, print: Print, { kind, expects, schema, wire }: Leaf<T>): Field<T> {
  assertPrint(title, print);
  const labels = [title, ...(print.labels ?? [])];
  return {
    kind,
    title,
    expects,
    schema,
    json: { title, description: `Expected: ${expects}.`, ...wire },
    print: print.printed === 'no' ? null : { ...print, kind, labels },
    asPrinted: false,
    children: null,
  };
}

const decimalText = z.string().refine((text) => toDecimal(text) !== null);
const decimalWire = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' };

/** An amount of money: a decimal text without separators or symbol. Its currency is a field of its own. */
export function money(title: string, print: Print = {}): Field<string> {
  const expects = 'a plain decimal text without separators or currency symbol, such as 1204.50';
  return leaf(title, print, { kind: 'money', expects, schema: decimalText, wire: decimalWire });
}

/** A number that is no money, such as a quantity or a unit price of many decimals. */
export function decimal(title: string, print: Print = {}): Field<string> {
  const expects = 'a plain decimal text without separators, such as 2 or 0.1212';
  return leaf(title, print, { kind: 'decimal', expects, schema: decimalText, wire: decimalWire });
}

/** A rate in percent, without the sign: "19", "7.5". */
export function percent(title: string, print: Print = {}): Field<string> {
  const expects = 'a percentage as plain decimal text without the sign, such as 19 or 7.5';
  return leaf(title, print, { kind: 'percent', expects, schema: decimalText, wire: decimalWire });
}

/** A printed number of things: digits only. */
export function count(title: string, print: Print = {}): Field<string> {
  const expects = 'a whole number as text, such as 12';
  const schema = z.string().regex(/^\d{1,15}$/);
  return leaf(title, print, { kind: 'count', expects, schema, wire: { type: 'string', pattern: '^\\d+$' } });
}

/** An ISO 4217 code in capitals: "EUR". */
export function currencyCode(title: string, print: Print = {}): Field<string> {
  const expects = 'an ISO 4217 currency code in capitals, such as EUR';
  const schema = z.string().refine((code) => minorUnitsOf(code) !== null);
  const wire = { type: 'string', pattern: '^[A-Z]{3}$' };
  return leaf(title, print, { kind: 'currency', expects, schema, wire });
}

/** A date without a time, as "2024-11-03". Days that no calendar has are refused. */
export function isoDate(title: string, print: Print = {}): Field<string> {
  const wire = { type: 'string', format: 'date' };
  return leaf(title, print, { kind: 'date', expects: 'a date as YYYY-MM-DD', schema: z.iso.date(), wire });
}

/** A number or code that names something, exactly as printed. Never calculated with. */
export function identifier(title: string, print: Print = {}): Field<string> {
  const expects = 'the number or code exactly as printed, on one line';
  return leaf(title, print, { kind: 'identifier', expects, schema: words(200), wire: { type: 'string' } });
}

/** Words as printed: names, descriptions. */
export function text(title: string, print: Print = {}): Field<string> {
  const wire = { type: 'string' };
  return leaf(title, print, { kind: 'text', expects: 'the words as printed', schema: words(2000), wire });
}

function words(maximum: number): z.ZodType<string> {
  const isText = (value: string) => value.trim() !== '' && !unstorable.test(value);
  return z.string().max(maximum).refine(isText);
}

/** One of a few fixed words, which need not be printed as such. */
export function choice<const V extends string>(title: string, values: readonly V[]): Field<V> {
  assertTitle(title);
  const given: unknown = values;
  if (!Array.isArray(given) || given.length === 0 || given.some((value) => typeof value !== 'string'))
    throw refusal(
      title,
      `its values must be a list of texts, such as choice(${JSON.stringify(title)}, ['cash', 'card']).`,
    );
  return {
    kind: 'choice',
    title,
    expects: `one of ${values.join(', ')}`,
    schema: z.enum(values),
    json: { title, type: 'string', enum: [...values] },
    print: null,
    asPrinted: false,
    children: null,
  };
}

/**
 * A field that a document may leave out: its value, or `not_printed` when the document has no such field, or `blank`
 * when it has one with nothing in it. Without an honest way out, a model invents.
 */
export function asPrinted<T extends string>(inner: Field<T>): Field<T | NotThere> {
  if (!isField(inner))
    throw new SpecError(
      'asPrinted takes a field, such as asPrinted(text("Note")); what it was given is none.',
    );
  const { title, description, ...wire } = inner.json;
  const ways = 'or "not_printed" when the document has no such field, or "blank" when it is there but empty';
  return {
    ...inner,
    asPrinted: true,
    expects: `${inner.expects}, ${ways}`,
    schema: z.union([inner.schema, z.enum(notThere)]),
    json: {
      title,
      description: `Expected: ${inner.expects}, ${ways}.`,
      anyOf: [wire, { type: 'string', enum: [...notThere] }],
    },
  };
}

/** A list of records, at least one: an empty list is how dropped rows look. */
export function list<F extends Fields>(title: string, fields: F): Field<readonly RecordOf<F>[]> {
  const item = record(title, fields);
  const description = 'Every row of the document, in its order.';
  return {
    kind: 'list',
    title,
    expects: 'a list with every row of the document, at least one',
    schema: z.array(item.schema).min(1),
    json: { title, description, type: 'array', items: item.json, minItems: 1 },
    print: null,
    asPrinted: false,
    children: fields,
  };
}

/** Fields given without a name for each, or none, would be found out as something else much later. */
function assertFields(title: string, fields: unknown): void {
  assertTitle(title);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw refusal(
      title,
      'its second argument must be an object of its fields, such as { amount: money("Amount") }.',
    );
  const [name] = Object.entries(fields).find(([, field]) => !isField(field)) ?? [];
  if (name !== undefined)
    throw refusal(title, `its "${name}" must be made by a field type, such as text("Name").`);
}

/** Made by one of these functions, perhaps of another copy of this package. */
export function isField(value: unknown): value is Field<unknown> {
  return (
    typeof value === 'object' && value !== null && 'schema' in value && 'json' in value && 'title' in value
  );
}

/** A group of fields; all required, no others. */
export function record<F extends Fields>(title: string, fields: F): Field<RecordOf<F>> {
  assertFields(title, fields);
  const entries = Object.entries(fields);
  const names = Object.keys(fields);
  const shape = Object.fromEntries(entries.map(([name, field]) => [name, field.schema]));
  return {
    kind: 'record',
    title,
    expects: `an object with exactly the fields ${names.join(', ')}`,
    // The shape holds exactly the schemas that the type is made of.
    schema: z.strictObject(shape) as unknown as z.ZodType<RecordOf<F>>,
    json: {
      title,
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, field]) => [name, field.json])),
      required: names,
      additionalProperties: false,
    },
    print: null,
    asPrinted: false,
    children: fields,
  };
}
