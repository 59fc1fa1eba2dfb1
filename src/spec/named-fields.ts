import { nearestWord, suggestion } from '../domain/nearest-word.js';
import type { Constraint } from '../verification/constraint.js';
import { minorUnitsOf } from '../verification/currencies.js';
import { toDecimal } from '../verification/decimal-text.js';
import type { FieldRole, NamedField } from '../verification/making.js';
import { join, tokensOf } from '../verification/pointer.js';
import type { Field, Fields } from './field.js';

/** Every field of a spec by its pattern; `*` stands for each row of a list. */
export type FieldPatterns = ReadonlyMap<string, Field<unknown>>;

export function patternsOf(fields: Fields): FieldPatterns {
  const patterns = new Map<string, Field<unknown>>();
  const add = (inner: Fields, parent: string) => {
    for (const [name, field] of Object.entries(inner)) {
      const at = join(parent, name);
      patterns.set(at, field);
      if (field.children !== null) add(field.children, field.kind === 'list' ? `${at}/*` : at);
    }
  };
  add(fields, '');
  return patterns;
}

/**
 * What is wrong with how a ready-made rule was made: it names no field of these, or one that it cannot look at, or has
 * an option that there is not. Such a rule would hold for every record, so it is refused. Null: nothing is.
 */
export function makingFault(fields: Fields, { id, made }: Constraint<never>): string | null {
  if (made === undefined) return null;
  const rule = `the rule "${id}" (${made.by})`;
  const unknown = Object.keys(made.options).find((option) => !made.takes.includes(option));
  if (unknown !== undefined) return `${rule} has no option "${unknown}"${suggestion(unknown, made.takes)}`;
  const patterns = patternsOf(fields);
  for (const named of made.names) {
    const fault = nameFault(patterns, named);
    if (fault !== null) return `${rule} ${fault}`;
  }
  const { fault = null } = made;
  return fault === null ? null : `${rule} cannot be asked: ${fault}.`;
}

/** What is wrong with a pointer that a rule of the author's own says; null when it names a field or a row of a list. */
export function pointerFault(fields: Fields, pointer: string): string | null {
  const patterns = patternsOf(fields);
  const pattern = patternOf(patterns, pointer);
  if (patterns.has(pattern) || patterns.has(pattern.replace(/\/\*$/, ''))) return null;
  return `${pointer}, which is no field of this spec${suggestion(pointer, [...patterns.keys()])}`;
}

function nameFault(patterns: FieldPatterns, named: NamedField): string | null {
  const { option, written, role, columnOf, many } = named;
  if (typeof written !== 'string' || written === '')
    return `names no field as ${option}; give it ${many === true ? 'pointers such as' : 'one such as'} ${exampleOf(patterns, named)}.`;
  const pattern = patternOf(patterns, columnOf === undefined ? written : `${columnOf}/*/${written}`);
  const shown = columnOf === undefined ? written : `"${written}"`;
  const field = written.startsWith('/') === (columnOf === undefined) ? patterns.get(pattern) : undefined;
  if (field === undefined) {
    const where = columnOf === undefined ? 'no field of this spec' : `no field of ${columnOf}`;
    return `names ${shown} as ${option}, which is ${where}; ${nearestNamed(patterns, named, written)}`;
  }
  if (columnOf === undefined && many !== true && pattern.includes('/*') && !isIndexed(written))
    return `names ${shown} as ${option}, which is a value of every row; ${option} must name one value.`;
  if (!fits(field, role))
    return `names ${shown} as ${option}, which is ${withArticle(field.kind)}; ${option} must be ${roleSays[role]}.`;
  return valuesFault(field, named);
}

/** A rule that waits for a value that can never come is as good as none. */
function valuesFault(field: Field<unknown>, { option, written, values = [] }: NamedField): string | null {
  const possible = choicesOf(field);
  const never = possible === null ? undefined : values.find((value) => !possible.includes(value));
  if (never === undefined || possible === null) return null;
  return `waits for "${never}" in ${String(written)} (${option}), which that field cannot be${suggestion(never, possible)}`;
}

/** Indexes of rows stand for every row. */
function patternOf(patterns: FieldPatterns, pointer: string): string {
  return tokensOf(pointer).reduce<string>((parent, token) => {
    const isRow = patterns.get(parent)?.kind === 'list' && /^\d+$/.test(token);
    return join(parent, isRow ? '*' : token);
  }, '');
}

function isIndexed(pointer: string): boolean {
  return !tokensOf(pointer).includes('*');
}

function nearestNamed(patterns: FieldPatterns, named: NamedField, written: string): string {
  const fitting = candidates(patterns, named, (field) => fits(field, named.role));
  const names = fitting.length > 0 ? fitting : candidates(patterns, named, () => true);
  if (names.length === 0) return 'it has none.';
  const name = nearestOf(written, names);
  const shown = named.columnOf === undefined ? name : `"${name}"`;
  return nearestWord(written, names)?.isNear === true ? `did you mean ${shown}?` : `the nearest is ${shown}.`;
}

function candidates(
  patterns: FieldPatterns,
  { columnOf, many }: NamedField,
  isFitting: (field: Field<unknown>) => boolean,
): readonly string[] {
  const fitting = [...patterns].filter(([, field]) => isFitting(field)).map(([pattern]) => pattern);
  if (columnOf === undefined) return fitting.filter((pattern) => many === true || !pattern.includes('/*'));
  const rows = `${columnOf}/*/`;
  return fitting.flatMap((pattern) => (pattern.startsWith(rows) ? [pattern.slice(rows.length)] : []));
}

function exampleOf(patterns: FieldPatterns, named: NamedField): string {
  const [first] = candidates(patterns, named, (field) => fits(field, named.role));
  if (first === undefined) return named.columnOf === undefined ? '/total' : '"amount"';
  return named.columnOf === undefined ? first : `"${first}"`;
}

function nearestOf(word: string, words: readonly string[]): string {
  return nearestWord(word, words)?.word ?? '';
}

const numbers: ReadonlySet<string> = new Set(['money', 'decimal', 'percent', 'count']);

const roleSays: Readonly<Record<FieldRole, string>> = {
  number: 'a number (money, decimal, percent or count)',
  currency: 'a currencyCode, or a choice of currency codes',
  date: 'an isoDate',
  list: 'a list',
  value: 'a single value',
};

function fits(field: Field<unknown>, role: FieldRole): boolean {
  const { kind, children } = field;
  const choices = choicesOf(field);
  switch (role) {
    case 'number':
      return numbers.has(kind) || choices?.every((value) => toDecimal(value) !== null) === true;
    case 'currency':
      return kind === 'currency' || choices?.every((value) => minorUnitsOf(value) !== null) === true;
    case 'date':
      return kind === 'date';
    case 'list':
      return kind === 'list';
    case 'value':
      return children === null;
  }
}

/** The values of a fixed choice, also of one that a document may leave out; null for any other field. */
function choicesOf({ kind, json }: Field<unknown>): readonly string[] | null {
  if (kind !== 'choice') return null;
  const [inner] = Array.isArray(json['anyOf']) ? (json['anyOf'] as readonly (typeof json)[]) : [json];
  return (inner?.['enum'] as readonly string[] | undefined) ?? null;
}

function withArticle(kind: string): string {
  return `${kind.startsWith('i') ? 'an' : 'a'} ${kind}`;
}
