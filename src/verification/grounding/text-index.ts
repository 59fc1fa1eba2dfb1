import type { DocumentText } from '../document-text.js';
import { currencyOfMark, markPattern } from './currency-marks.js';
import { datesOf, settled } from './dates.js';
import { fold } from './fold.js';
import { firstWordOf, type Line, linesOf } from './layout.js';
import { type DecimalMark, decimalMark } from './number-shape.js';
import { amountKey, sizeOf } from './number-value.js';
import { numbersOf, type PrintedNumber } from './numbers.js';
import { spellings, type Word, type Words, wordsOf } from './words.js';

/** Where something is printed: page from 1, offsets into that page's text. */
export interface Place {
  readonly page: number;
  readonly start: number;
  readonly end: number;
}

export interface NumberPlace extends Place {
  readonly number: PrintedNumber;
}

type NumbersBySize = ReadonlyMap<string, readonly NumberPlace[]>;

export interface DatePlace extends Place {
  readonly readings: readonly string[];
}

/** A cell by its page (from 1), line and position on it. */
export interface CellRef {
  readonly page: number;
  readonly line: number;
  readonly position: number;
}

/** A text layer prepared for looking values up: made once for a document, in time that grows with its length. */
export interface TextIndex {
  readonly pages: readonly string[];
  readonly folded: readonly string[];
  readonly lines: readonly (readonly Line[])[];
  /** Cells by the first word in them, folded: where a label can begin. */
  readonly cellsByFirstWord: ReadonlyMap<string, readonly CellRef[]>;
  readonly words: Words;
  /** Words by their folded and by their exact text, in reading order. */
  readonly byFolded: ReadonlyMap<string, readonly Word[]>;
  readonly byExact: ReadonlyMap<string, readonly Word[]>;
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
  const made = createIndex(text.pages);
  indexes.set(text, made);
  return made;
}

function createIndex(pages: readonly string[]): TextIndex {
  const folded = pages.map(fold);
  const dated = folded.map(datesOf);
  const lines = folded.map(linesOf);
  const words = wordsOf(pages, lines);
  const numbers = dated.flatMap(({ rest }, index) =>
    numbersOf(rest).map((number) => ({ page: index + 1, start: number.start, end: number.end, number })),
  );
  const dates = settled(
    dated.map((page) => page.dates),
    folded,
  ).flatMap((found, index) => found.map((date) => ({ page: index + 1, ...date })));
  const mark = decimalMark(numbers.map(({ number }) => number.shape));
  const bySize = (minorUnits: number) =>
    grouped(numbers.map((place) => [amountKey(sizeOf(place.number, mark, minorUnits)), place]));
  const byWord = (as: 'folded' | 'exact') =>
    grouped(words.list.flatMap((word) => spellings(words, word, as).map((text) => [text, word] as const)));
  return {
    pages,
    folded,
    lines,
    cellsByFirstWord: grouped(
      lines.flatMap((page, at) =>
        page.flatMap((line, number) => firstWords(folded[at] ?? '', line, at + 1, number)),
      ),
    ),
    words,
    byFolded: byWord('folded'),
    byExact: byWord('exact'),
    numbers,
    bySize: { three: bySize(3), usual: bySize(2) },
    decimalMark: mark,
    hasPercentHeading: folded.some((page) => /(?<!\d[ \u00a0]?)%/.test(page)),
    byDate: grouped(dates.flatMap((date) => date.readings.map((reading) => [reading, date] as const))),
    byCurrency: grouped(folded.flatMap(currencies)),
  };
}

function firstWords(
  text: string,
  { cells }: Line,
  page: number,
  line: number,
): readonly (readonly [string, CellRef])[] {
  return cells.flatMap((cell, position) => {
    const word = firstWordOf(text.slice(cell.start, cell.end));
    return word === null ? [] : [[word, { page, line, position }] as const];
  });
}

function currencies(page: string, index: number): readonly (readonly [string, Place])[] {
  return [...page.matchAll(markPattern)].flatMap((match) => {
    const code = currencyOfMark(match[0]);
    const place = { page: index + 1, start: match.index, end: match.index + match[0].length };
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
