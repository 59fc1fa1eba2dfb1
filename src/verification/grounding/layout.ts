import { foldWord } from './fold.js';

/** A run of text that stands apart on its line: two blanks, a tab, a bar or leader dots separate cells. */
export interface Cell {
  readonly start: number;
  readonly end: number;
}

export interface Line {
  readonly start: number;
  readonly end: number;
  /** None for a line without text. Read when they are asked for: of a long text, few lines are. */
  readonly cells: readonly Cell[];
}

/** Blanks around a separator are trimmed off the cells, so they need no place in the pattern. */
const gap = /[ \u00a0]{2,}|\t|\||\.{4,}/g;

/** Lines of a page and their cells, as offsets into the page. */
export function linesOf(page: string): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= page.length; ) {
    const next = page.indexOf('\n', start);
    const end = next < 0 ? page.length : next;
    lines.push(new PageLine(page, start, end));
    start = end + 1;
  }
  return lines;
}

class PageLine implements Line {
  readonly start: number;
  readonly end: number;
  private readonly page: string;
  private known: readonly Cell[] | null = null;

  constructor(page: string, start: number, end: number) {
    this.page = page;
    this.start = start;
    this.end = end;
  }

  get cells(): readonly Cell[] {
    this.known ??= cellsOf(this.page.slice(this.start, this.end), this.start);
    return this.known;
  }
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
