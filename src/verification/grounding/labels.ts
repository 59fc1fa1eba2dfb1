import { type Cell, labelWords } from './layout.js';
import type { Place, PlacedCell } from './places.js';
import type { TextIndex } from './text-index.js';

/** A label as a document prints it, with the stretches in which its value can stand. All are empty for a blank field. */
export interface PrintedLabel {
  /** False for a label with more words before its colon: "Total lines:" may be another field than "Total". */
  readonly isExact: boolean;
  /** Behind the label on its line: the rest of its cell and the cells to the right, up to the next label. */
  readonly beside: readonly Place[];
  /** In the line below, where no value and no space for one stands beside it. */
  readonly below: readonly Place[];
}

/** A label that stands in more places is a word of the text; a value stands within so many cells. */
const maximumLabels = 200;
const maximumCells = 64;

/** Dots, dashes, underscores, brackets of an empty box. */
const fill = /^[\s._\-…[\]()*]*$/;
const numberOf = /\b(?:no|nr|num|number|nummer|id|reg|code|ref|reference)\b/i;
/** What may follow a label without a colon: a qualifier in brackets, then a number, a currency or nothing. */
const valueAhead =
  /^\s*(?:\([^)]*\)\s*)?(?:[-+(]*\s?(?:\p{Lu}{2,3}\s?|\p{L}{0,2}\p{Sc}\s?)?[-(]?\d|\p{Lu}{3}$|\p{Sc}$|$)/u;

/** Every place where one of the labels is printed as a label: at the beginning of a cell, with its value or a colon behind. */
export function labelled(index: TextIndex, labels: readonly string[]): readonly PrintedLabel[] {
  const wanted = labels.map((label) => labelWords(label).map(({ word }) => word));
  const openings = new Set(wanted.flatMap(([opening]) => opening ?? []));
  return [...openings].flatMap((opening) =>
    index.cellsByFirstWord(opening, maximumLabels).flatMap((placed) => {
      const label = labelIn(placed.text, wanted);
      return label === null ? [] : [labelAt(placed, label)];
    }),
  );
}

/** All stretches in which the values of these labels can stand. */
export function areasOf(labels: readonly PrintedLabel[]): readonly Place[] {
  return labels.flatMap(({ beside, below }) => [...beside, ...below]);
}

function labelAt(placed: PlacedCell, { length, isExact }: LabelText): PrintedLabel {
  const { page, cell, line, position } = placed;
  const text = page.folded;
  const here = { start: cell.start + length, end: cell.end };
  const others = line.cells.slice(position + 1, position + 1 + maximumCells);
  // A cell with a colon brings a label of its own.
  const limit = others.find(({ start, end }) => text.slice(start, end).includes(':'))?.start ?? line.end;
  const beside = [here, ...others].filter((area) => area.start < limit && !isEmpty(text, area));
  // A value beside the label, or dots or a line to write it on, say that it is not below. Other labels beside it do not.
  const isTaken = !isEmpty(text, here) || /\d|[._\u2026]{3,}/.test(text.slice(here.start, limit));
  const onPage = ({ start, end }: Cell): Place => ({ page: page.number, start, end });
  return { isExact, beside: beside.map(onPage), below: (isTaken ? [] : cellBelow(placed)).map(onPage) };
}

interface LabelText {
  /** How much of the cell is the label, its qualifiers and its colon. */
  readonly length: number;
  readonly isExact: boolean;
}

/** Null when a cell does not begin with one of the labels. */
function labelIn(cell: string, labels: readonly (readonly string[])[]): LabelText | null {
  const words = labelWords(cell);
  for (const label of labels) {
    const last = words[label.length - 1];
    if (last === undefined || !label.every((word, at) => words[at]?.word === word)) continue;
    const rest = cell.slice(last.end);
    // "Deductible per loss: 500" has qualifiers before its colon; "VAT reg. no.: 500" is a number of something else.
    const colon = /^[^:]{0,40}:/.exec(rest);
    if (colon !== null && !numberOf.test(colon[0])) {
      return {
        length: last.end + colon[0].length,
        isExact: !/\p{L}/u.test(colon[0].replace(/\([^)]*\)/g, '')),
      };
    }
    if (valueAhead.test(rest) || fill.test(rest)) return { length: last.end, isExact: true };
  }
  return null;
}

/** The cell of the next line that stands under a label, unless it brings a label of its own. */
function cellBelow({ page, cell, line, position, below }: PlacedCell): readonly Cell[] {
  if (below === null) return [];
  const from = cell.start - line.start;
  const to = cell.end - line.start;
  const isUnder = (other: Cell) => other.start - below.start < to && other.end - below.start > from;
  // Rows of as many labels as values belong together one by one; otherwise what overlaps does.
  const isRow = below.cells.length === line.cells.length;
  const under = isRow ? below.cells.slice(position, position + 1) : below.cells.filter(isUnder).slice(0, 1);
  const text = page.folded;
  return under.filter((other) => !isEmpty(text, other) && !text.slice(other.start, other.end).includes(':'));
}

function isEmpty(page: string, { start, end }: Cell): boolean {
  return fill.test(page.slice(start, end));
}
