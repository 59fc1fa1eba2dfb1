import { isDecimal } from '../../domain/decimal.js';
import { BadCursor, type Page } from '../../ports/page.js';

/** A part of a sort key. Money stays text, so that no digit is lost. */
type SortValue = string | number;

/** The kinds of a list's sort key, in order: a cursor of another list does not fit. */
export type CursorShape = readonly (keyof typeof fits)[];

const fits = {
  text: (value: unknown) => typeof value === 'string',
  integer: (value: unknown) => Number.isSafeInteger(value),
  /** As Postgres writes a numeric. */
  decimal: (value: unknown) => typeof value === 'string' && (value === '-Infinity' || isDecimal(value)),
};

function encodeCursor(values: readonly SortValue[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** @throws BadCursor when the text is not a cursor of this shape. */
export function decodeCursor(cursor: string, shape: CursorShape): readonly SortValue[] {
  const values = parse(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(values) || values.length !== shape.length) throw new BadCursor();
  if (!shape.every((kind, index) => fits[kind](values[index]))) throw new BadCursor();
  return values as readonly SortValue[];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadCursor();
  }
}

/** Rows a query is asked for: one more than the page holds, to know whether another page follows. */
export function pageRows(limit: number): number {
  return Math.max(1, Math.trunc(limit)) + 1;
}

/** Cuts the extra row off and names the place where the next page starts. */
export function toPage<Row, T>(
  rows: readonly Row[],
  limit: number,
  sortKey: (row: Row) => readonly SortValue[],
  item: (row: Row) => T,
): Page<T> {
  const shown = rows.slice(0, pageRows(limit) - 1);
  const last = shown.at(-1);
  const more = rows.length > shown.length && last !== undefined;
  return { items: shown.map(item), nextCursor: more ? encodeCursor(sortKey(last)) : null };
}
