import type { Cell, Line } from './layout.js';
import type { PrintedNumber } from './numbers.js';

/** Where something is printed: page from 1, offsets into that page's text. */
export interface Place {
  readonly page: number;
  readonly start: number;
  readonly end: number;
}

export interface NumberPlace extends Place {
  readonly number: PrintedNumber;
}

export interface DatePlace extends Place {
  readonly readings: readonly string[];
}

export interface CurrencyPlace extends Place {
  readonly code: string;
}

/** A page of the text layer as it is, folded character by character, and in lines. */
export interface IndexedPage {
  readonly number: number;
  readonly text: string;
  readonly folded: string;
  readonly lines: readonly Line[];
  /** How many lines the pages before it have. */
  readonly linesBefore: number;
}

/** A cell with its text, folded, and what surrounds it. */
export interface PlacedCell {
  readonly page: IndexedPage;
  readonly cell: Cell;
  readonly text: string;
  readonly line: Line;
  /** Which cell of the line it is, from 0. */
  readonly position: number;
  /** The next line of the page. */
  readonly below: Line | null;
}

/** The stretch of text at a place, as it is printed. */
export function printedAt(
  { pages }: { readonly pages: readonly IndexedPage[] },
  { page, start, end }: Place,
): string {
  return pages
    .slice(page - 1, page)
    .map(({ text }) => text.slice(start, end))
    .join('');
}
