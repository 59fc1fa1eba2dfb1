import type { DocumentText } from '../document-text.js';
import { currencyOfMark, markPattern } from './currency-marks.js';
import { datesOf, settled } from './dates.js';
import { fold } from './fold.js';
import { type Cell, type Line, labelWords, linesOf } from './layout.js';
import { type DecimalMark, decimalMark } from './number-shape.js';
import { amountKey, sizeOf } from './number-value.js';
import { numbersOf, type PrintedNumber } from './numbers.js';
import { spellings, type Word, wordsOf } from './words.js';

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

/** A page of the text layer as it is, folded character by character, and in lines. */
export interface IndexedPage {
  readonly number: number;
  readonly text: string;
  readonly folded: string;
  readonly lines: readonly Line[];
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

type NumbersBySize = ReadonlyMap<string, readonly NumberPlace[]>;

/** A text layer prepared for looking values up: made once for a document, in time that grows with its length. */
export interface TextIndex {
  readonly pages: readonly IndexedPage[];
  /** Cells by the first word in them: where a label can begin. */
  readonly cellsByFirstWord: ReadonlyMap<string, readonly PlacedCell[]>;
  /** In reading order. */
  readonly words: readonly Word[];
  /** Words by their folded text, in reading order. */
  readonly byWord: ReadonlyMap<string, readonly Word[]>;
  readonly numbers: readonly NumberPlace[];
  /** Numbers by size (`amountKey`), as they read under a currency of three decimals and under any other. */
  readonly bySize: { readonly three: NumbersBySize; readonly usual: NumbersBySize };
  /** What the document's own numbers say about its decimals; null when they do not. */
  readonly decimalMark: DecimalMark | null;
  /** True when a percent sign stands by itself, as in a table's heading: then a bare number can be a rate. */
  readonly hasPercentHeading: boolean;
  /** Days by ISO date. */
  readonly byDate: ReadonlyMap<string, readonly DatePlace[]>;
  /** Codes and signs by currency. */
  readonly byCurrency: ReadonlyMap<string, readonly Place[]>;
}

const indexes = new WeakMap<DocumentText, TextIndex>();

/** The index of a text. Remembered as long as the text is, since every rule about printed values needs it. */
export function indexOf(text: DocumentText): TextIndex {
  const known = indexes.get(text);
  if (known !== undefined) return known;
  const made = createIndex(text.pages.map(indexedPage));
  indexes.set(text, made);
  return made;
}

/** The stretch of text at a place, as it is printed. */
export function printedAt({ pages }: TextIndex, { page, start, end }: Place): string {
  return pages
    .slice(page - 1, page)
    .map(({ text }) => text.slice(start, end))
    .join('');
}

function indexedPage(text: string, index: number): IndexedPage {
  const folded = fold(text);
  return { number: index + 1, text, folded, lines: linesOf(folded) };
}

function createIndex(pages: readonly IndexedPage[]): TextIndex {
  const dated = pages.map((page) => ({ page, ...datesOf(page.folded) }));
  const words = wordsOf(pages);
  const numbers = dated.flatMap(({ page, rest }) =>
    numbersOf(rest).map((number) => ({ page: page.number, start: number.start, end: number.end, number })),
  );
  const mark = decimalMark(numbers.map(({ number }) => number.shape));
  const bySize = (minorUnits: number) =>
    grouped(numbers.map((place) => [amountKey(sizeOf(place.number, mark, minorUnits)), place]));
  const usual = bySize(2);
  const dates = settled(
    dated.flatMap(({ page, dates: found }) => found.map((date) => ({ page: page.number, ...date }))),
  );
  return {
    pages,
    cellsByFirstWord: grouped(pages.flatMap(firstWords)),
    words,
    byWord: grouped(words.flatMap((word) => spellings(word).map((text) => [text, word] as const))),
    numbers,
    // Where the document says how it writes decimals, the currency has no say.
    bySize: { three: mark === null ? bySize(3) : usual, usual },
    decimalMark: mark,
    hasPercentHeading: pages.some(({ folded }) => /(?<!\d[ \u00a0]?)%/.test(folded)),
    byDate: grouped(dates.flatMap((date) => date.readings.map((reading) => [reading, date] as const))),
    byCurrency: grouped(pages.flatMap(currencies)),
  };
}

function firstWords(page: IndexedPage): readonly (readonly [string, PlacedCell])[] {
  return page.lines.flatMap((line, at) =>
    line.cells.flatMap((cell, position) => {
      const text = page.folded.slice(cell.start, cell.end);
      const placed = { page, cell, text, line, position, below: page.lines[at + 1] ?? null };
      return labelWords(text, 1).map(({ word }) => [word, placed] as const);
    }),
  );
}

function currencies(page: IndexedPage): readonly (readonly [string, Place])[] {
  return [...page.folded.matchAll(markPattern)].flatMap((match) => {
    const code = currencyOfMark(match[0]);
    const place = { page: page.number, start: match.index, end: match.index + match[0].length };
    return code === null ? [] : [[code, place] as const];
  });
}

function grouped<V>(entries: readonly (readonly [string, V])[]): ReadonlyMap<string, readonly V[]> {
  const groups = new Map<string, V[]>();
  for (const [key, value] of entries) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
