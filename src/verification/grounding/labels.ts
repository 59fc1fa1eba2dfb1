import { foldWord } from './fold.js';
import { type Cell, firstWordOf, labelWord } from './layout.js';
import type { CellRef, Place, TextIndex } from './text-index.js';

/** A label as a document prints it, with the stretches in which its value can stand. All are empty for a blank field. */
export interface PrintedLabel extends Place {
  /** Behind the label on its line: the rest of its cell and the cells to the right, up to the next label. */
  readonly beside: readonly Place[];
  /** In the line below, where no value and no space for one stands beside it. */
  readonly below: readonly Place[];
}

/** Dots, dashes, underscores, brackets of an empty box. */
const fill = /^[\s._\-…[\]()*]*$/;
/** What may follow a label without a colon: a qualifier in brackets, then a number, a currency or nothing. */
const valueAhead =
  /^\s*(?:\([^)]*\)\s*)?(?:[-+(]*\s?(?:\p{Lu}{2,3}\s?|\p{L}{0,2}\p{Sc}\s?)?[-(]?\d|\p{Lu}{3}$|\p{Sc}$|$)/u;

/** Every place where one of the labels is printed as a label: at the beginning of a cell, with its value or a colon behind. */
export function labelled(index: TextIndex, labels: readonly string[]): readonly PrintedLabel[] {
  const wanted = labels.map((label) => (label.match(labelWord) ?? []).map(foldWord));
  const openings = new Set(labels.flatMap((label) => firstWordOf(label) ?? []));
  return [...openings].flatMap((opening) =>
    (index.cellsByFirstWord.get(opening) ?? []).flatMap((ref) => labelAt(index, ref, wanted) ?? []),
  );
}

/** All stretches in which the values of these labels can stand. */
export function areasOf(labels: readonly PrintedLabel[]): readonly Place[] {
  return labels.flatMap(({ beside, below }) => [...beside, ...below]);
}

function labelAt(
  index: TextIndex,
  ref: CellRef,
  labels: readonly (readonly string[])[],
): PrintedLabel | null {
  const { page, line, position } = ref;
  const text = index.folded[page - 1] ?? '';
  const lines = index.lines[page - 1] ?? [];
  const cells = lines[line]?.cells ?? [];
  const cell = cells[position];
  const length = cell === undefined ? null : labelLength(text.slice(cell.start, cell.end), labels);
  if (cell === undefined || length === null) return null;
  const here = { start: cell.start + length, end: cell.end };
  const others = cells.slice(position + 1);
  // A cell with a colon brings a label of its own.
  const limit = others.find(({ start, end }) => text.slice(start, end).includes(':'))?.start;
  const behind = text.slice(here.start, limit ?? endOfLine(text, here.start));
  const beside = [here, ...others]
    .filter(({ start }) => start < here.start + behind.length)
    .filter((area) => !isEmpty(text, area));
  // A value beside the label, or dots or a line to write it on, say that it is not below. Other labels beside it do not.
  const isTaken = !isEmpty(text, here) || /\d|[._\u2026]{3,}/.test(behind);
  const below = isTaken ? null : cellBelow(text, cells, position, lines[line + 1]?.cells ?? []);
  const onPage = ({ start, end }: Cell): Place => ({ page, start, end });
  return {
    ...onPage({ start: cell.start, end: here.start }),
    beside: beside.map(onPage),
    below: below === null ? [] : [onPage(below)],
  };
}

/** How much of a cell is the label, its qualifiers and its colon; null when it does not begin with one of the labels. */
function labelLength(cell: string, labels: readonly (readonly string[])[]): number | null {
  const words = [...cell.matchAll(labelWord)];
  for (const label of labels) {
    const last = words[label.length - 1];
    if (last === undefined || !label.every((word, at) => foldWord(words[at]?.[0] ?? '') === word)) continue;
    const end = last.index + last[0].length;
    const rest = cell.slice(end);
    // "Deductible (each loss): 500" has qualifiers before its colon; a sentence has none.
    const colon = /^[^:]{0,40}:/.exec(rest);
    if (colon !== null) return end + colon[0].length;
    if (valueAhead.test(rest) || fill.test(rest)) return end;
  }
  return null;
}

function endOfLine(page: string, from: number): number {
  const end = page.indexOf('\n', from);
  return end < 0 ? page.length : end;
}

/** The cell of the next line that stands under the label, unless it brings a label of its own. */
function cellBelow(
  page: string,
  labels: readonly Cell[],
  position: number,
  below: readonly Cell[],
): Cell | null {
  const label = labels[position];
  if (label === undefined) return null;
  // Rows of as many labels as values belong together one by one; otherwise what overlaps does.
  const column = (cell: Cell) => cell.start - (page.lastIndexOf('\n', cell.start) + 1);
  const overlaps = (cell: Cell) =>
    column(cell) < column(label) + label.end - label.start &&
    column(cell) + cell.end - cell.start > column(label);
  const under = below.length === labels.length ? below[position] : below.find(overlaps);
  if (under === undefined || isEmpty(page, under) || page.slice(under.start, under.end).includes(':'))
    return null;
  return under;
}

function isEmpty(page: string, { start, end }: Cell): boolean {
  return fill.test(page.slice(start, end));
}
