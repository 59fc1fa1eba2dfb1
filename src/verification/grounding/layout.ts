import { foldWord } from './fold.js';

/** A run of text that stands apart on its line: two blanks, a tab, a bar or leader dots separate cells. */
export interface Cell {
  readonly start: number;
  readonly end: number;
}

export interface Line {
  readonly start: number;
  readonly end: number;
  readonly cells: readonly Cell[];
}

/** Blanks around a separator are trimmed off the cells, so they need no place in the pattern. */
const gap = /[ \u00a0]{2,}|\t|\||\.{4,}/g;

/** Lines of a page and their cells, as offsets into the page. Lines without text have no cells. */
export function linesOf(page: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of page.split('\n')) {
    lines.push({ start, end: start + line.length, cells: cellsOf(line, start) });
    start += line.length + 1;
  }
  return lines;
}

function cellsOf(line: string, offset: number): readonly Cell[] {
  const cells: Cell[] = [];
  let from = 0;
  const push = (to: number) => {
    const text = line.slice(from, to);
    const lead = text.length - text.trimStart().length;
    if (text.trim() !== '') {
      cells.push({ start: offset + from + lead, end: offset + from + text.trimEnd().length });
    }
  };
  for (const match of line.matchAll(gap)) {
    push(match.index);
    from = match.index + match[0].length;
  }
  push(line.length);
  return cells;
}

/**
 * The words that labels are compared by, folded, each with its end: letters, digits, percent; all else parts words.
 * Not more than `maximum` of them.
 */
export function labelWords(
  text: string,
  maximum = 40,
): readonly { readonly word: string; readonly end: number }[] {
  return [...take(text.matchAll(/[\p{L}\p{N}%]+/gu), maximum)].map((match) => ({
    word: foldWord(match[0]),
    end: match.index + match[0].length,
  }));
}

function* take<T>(values: Iterable<T>, maximum: number): Iterable<T> {
  let taken = 0;
  for (const value of values) {
    if (taken === maximum) return;
    taken += 1;
    yield value;
  }
}
