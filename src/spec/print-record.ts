import type { DocumentText } from '../verification/document-text.js';
import type { Field, Fields } from './field.js';

/**
 * A plain document that prints a record: one line for each field, its title and its value, and one line for each row
 * of a list. Rules that look into the document find every value there. A field that is `not_printed` is left out, a
 * `blank` one is a title with nothing beside it.
 */
export function printRecord(fields: Fields, record: unknown): DocumentText {
  return { pages: [linesOf(fields, record).join('\n')] };
}

function linesOf(fields: Fields, record: unknown): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => printedField(field, at(record, name)));
}

function printedField(field: Field<unknown>, value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    return value.map((row: unknown) =>
      Object.keys(field.children ?? {})
        .map((name) => at(row, name))
        .join('   '),
    );
  }
  if (field.children !== null) return linesOf(field.children, value);
  if (field.asPrinted && value === 'not_printed') return [];
  if (field.asPrinted && value === 'blank') return [`${field.title}:`];
  return [`${field.title}: ${String(value)}${field.kind === 'percent' ? ' %' : ''}`];
}

function at(record: unknown, name: string): unknown {
  return (record as { readonly [name: string]: unknown } | null)?.[name];
}
