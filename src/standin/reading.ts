import type { JsonValue } from './json.js';
import { type LabelledValue, labelledValues } from './labelled-values.js';
import type { Line } from './page-lines.js';
import { type PrintedTable, printedTable } from './printed-table.js';
import { currencyOf, type PrintStyle, printedDate, printedNumber, printStyle } from './printed-values.js';
import type { Field, Shape } from './shape.js';
import { LIKELY, likeness } from './vocabulary.js';

/** A value the document does not print, at its JSON Pointer. */
export interface Gap {
  readonly pointer: string;
  readonly shape: Shape;
  readonly phrases: readonly string[];
}

export interface Reading {
  readonly value: { readonly [name: string]: JsonValue };
  /** Optional or honest-answer fields that nothing was found for. */
  readonly gaps: readonly Gap[];
  /** Tables by the pointer of their list. */
  readonly tables: ReadonlyMap<string, PrintedTable>;
  readonly style: PrintStyle;
}

/** Reads a document as carefully as this stand-in can: every value as printed, and the honest word where none is. */
export function readCarefully(fields: readonly Field[], lines: readonly Line[]): Reading {
  const context: Context = {
    lines,
    style: printStyle(lines),
    tables: new Map(),
    gaps: [],
    pairs: [],
  };
  const scalars = fieldsBelow(fields);
  const isLabel = (text: string): boolean =>
    scalars.some((field) => likeness(text.replace(/:$/, ''), field.phrases) >= 0.9);
  readTables(fields, '', context, isLabel);
  const used = new Set([...context.tables.values()].flatMap((table) => [...table.lines]));
  context.pairs = labelledValues(lines, isLabel, used);
  const value = readObject(fields, '', context);
  return { value, gaps: context.gaps, tables: context.tables, style: context.style };
}

interface Context {
  readonly lines: readonly Line[];
  readonly style: PrintStyle;
  readonly tables: Map<string, PrintedTable>;
  readonly gaps: Gap[];
  pairs: readonly LabelledValue[];
}

function readTables(
  fields: readonly Field[],
  pointer: string,
  context: Context,
  isLabel: (text: string) => boolean,
): void {
  for (const field of fields) {
    const at = `${pointer}/${field.name}`;
    if (field.shape.kind === 'object') readTables(field.shape.fields, at, context, isLabel);
    if (field.shape.kind === 'list' && field.shape.item.kind === 'object') {
      context.tables.set(at, printedTable(context.lines, field.shape.item.fields, context.style, isLabel));
    }
  }
}

function fieldsBelow(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) =>
    field.shape.kind === 'object' ? fieldsBelow(field.shape.fields) : [field],
  );
}

function readObject(
  fields: readonly Field[],
  pointer: string,
  context: Context,
): { [name: string]: JsonValue } {
  const assigned = assign(fields, context);
  const value: { [name: string]: JsonValue } = {};
  for (const field of fields) {
    const read = readField(field, `${pointer}/${field.name}`, assigned.get(field), context);
    if (read !== undefined) value[field.name] = read;
  }
  return value;
}

/** Gives each field the label that fits best, best fits first, no printed value to two fields. */
function assign(fields: readonly Field[], context: Context): Map<Field, LabelledValue> {
  const offers = fields.flatMap((field) =>
    context.pairs.flatMap((pair) => {
      const fit = likeness(pair.label, field.phrases);
      if (fit < LIKELY) return [];
      const readable = pair.value !== null && typed(pair.value, field.shape, context.style) !== undefined;
      if (pair.value !== null && !readable) return [];
      return [{ field, pair, score: fit * pair.strength }];
    }),
  );
  const assigned = new Map<Field, LabelledValue>();
  const taken = new Set<string>();
  for (const { field, pair } of offers.sort((a, b) => b.score - a.score || a.pair.line - b.pair.line)) {
    const place = `${pair.line}/${pair.label}`;
    if (assigned.has(field) || taken.has(place)) continue;
    assigned.set(field, pair);
    taken.add(place);
  }
  return assigned;
}

function readField(
  field: Field,
  pointer: string,
  pair: LabelledValue | undefined,
  context: Context,
): JsonValue | undefined {
  const { shape } = field;
  if (shape.kind === 'object') return readObject(shape.fields, pointer, context);
  if (shape.kind === 'list') return readList(shape.item, pointer, pair, context);
  const found = pair?.value == null ? undefined : typed(pair.value, shape, context.style);
  if (found !== undefined) return found;
  const elsewhere = pair ? undefined : fromWholeText(shape, context);
  if (elsewhere !== undefined) return elsewhere;
  if (pair && shape.blank !== undefined) return shape.blank;
  context.gaps.push({ pointer, shape, phrases: field.phrases });
  if (shape.absent !== undefined) return shape.absent;
  return field.required ? lastResort(shape) : undefined;
}

function readList(
  item: Shape,
  pointer: string,
  pair: LabelledValue | undefined,
  context: Context,
): JsonValue {
  if (item.kind !== 'object') {
    const parts = pair?.value?.split(/\s*[,;]\s*/) ?? [];
    return parts.flatMap((part) => {
      const value = typed(part, item, context.style);
      return value === undefined ? [] : [value];
    });
  }
  const rows = context.tables.get(pointer)?.rows ?? [];
  return rows.map((row) => {
    const value: { [name: string]: JsonValue } = {};
    for (const { name, shape, required } of item.fields) {
      const cell = row[name];
      const read = cell === undefined ? undefined : typed(cell, shape, context.style);
      const filled =
        read ?? (shape.absent !== undefined ? shape.absent : required ? lastResort(shape) : undefined);
      if (filled !== undefined) value[name] = filled;
    }
    return value;
  });
}

/** A printed text as the value a shape asks for; undefined when it cannot be one. */
export function typed(text: string, shape: Shape, style: PrintStyle): JsonValue | undefined {
  const fits = (value: string | null): string | undefined =>
    value === null || ('pattern' in shape && shape.pattern && !shape.pattern.test(value)) ? undefined : value;
  switch (shape.kind) {
    case 'number': {
      const number = fits(printedNumber(text, style) ?? leadingNumber(text, style));
      return shape.asNumber && number !== undefined ? Number(number) : number;
    }
    case 'date':
      return fits(printedDate(text, style));
    case 'currency':
      return fits(currencyOf(text));
    case 'text':
      return fits(text.trim());
    case 'choice':
      return chosen(text, shape.options);
    case 'boolean':
      return /^(yes|true|ja|x|☒)\b/i.test(text) ? true : /^(no|false|nein)\b/i.test(text) ? false : undefined;
    default:
      return undefined;
  }
}

/** "19 % of net" or "12 items": the number stands first and words follow. */
function leadingNumber(text: string, style: PrintStyle): string | null {
  const match = /^([-(]?[\p{Sc}]?\s?[\d.,'’]+)\s*%?\s+\p{L}/u.exec(text);
  return match ? printedNumber(match[1] ?? '', style) : null;
}

function chosen(text: string, options: readonly string[]): string | undefined {
  const at = options
    .map((option) => ({ option, index: text.toLowerCase().search(spelled(option)) }))
    .filter(({ index }) => index >= 0)
    .sort((a, b) => a.index - b.index || b.option.length - a.option.length);
  return at[0]?.option;
}

function spelled(option: string): RegExp {
  const escaped = option.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}])${escaped.replaceAll(/[_ -]/g, '[_ -]')}(?![\\p{L}])`, 'u');
}

/** What a heading or the page as a whole says without a label: the kind of paper, the currency in use. */
function fromWholeText(shape: Shape, context: Context): JsonValue | undefined {
  if (shape.kind === 'currency' && context.style.currency !== null) return context.style.currency;
  if (shape.kind !== 'choice') return undefined;
  for (const line of context.lines) {
    const option = chosen(line.cells.map((cell) => cell.text).join(' '), shape.options);
    if (option !== undefined) return option;
  }
  return undefined;
}

/** A required field without an honest word for "absent" is left empty: an empty text is seen for what it is, a value that fits the schema would be taken for one that was read. */
function lastResort(shape: Shape): JsonValue {
  switch (shape.kind) {
    case 'number':
      return shape.asNumber ? 0 : '';
    case 'boolean':
      return false;
    case 'list':
      return [];
    case 'object':
      return {};
    default:
      return '';
  }
}
