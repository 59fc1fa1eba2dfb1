import { minorUnitsOf } from '../currencies.js';
import { digitsOf } from './atoms.js';
import { amountKey } from './number-value.js';
import type { DatePlace, NumberPlace, Place } from './places.js';
import type { Lines } from './postings.js';
import type { TextIndex } from './text-index.js';
import { matchFrom, type Word, wordsOfValue } from './words.js';

/** What kind of print a value is looked for as. */
export const printKinds = [
  'money',
  'decimal',
  'count',
  'percent',
  'date',
  'currency',
  'identifier',
  'text',
] as const;
export type PrintKind = (typeof printKinds)[number];

export interface Sought {
  readonly kind: PrintKind;
  readonly value: string;
  /** The record's currency code, which helps to read `1,204`. */
  readonly currency: unknown;
  /** True when the sign is no matter of print: credit notes print what they give back with and without a minus. */
  readonly anySign: boolean;
}

/** A place where the value sought is printed, and the other values that this print can mean. */
export interface Found extends Place {
  readonly otherReadings: readonly string[];
}

/** Where to look first, and where only. */
export interface Search {
  /** The first place from here on is taken, or else the first of all: rows of a list are printed in their order. */
  readonly from: Place | null;
  /** Only places within these, when given. */
  readonly within: readonly Place[] | null;
}

/** What may be the value: lines in reading order, and what is really there on each of them. */
interface Candidates<P extends Place> {
  readonly lines: Lines;
  on(line: number): readonly P[];
}

/** A place where the value is printed; null when it is printed nowhere that the search allows. */
export function locate(index: TextIndex, sought: Sought, search: Search): Found | null {
  return lookUp(index, sought, (candidates, accept) => first(index, candidates, search, accept));
}

/** Lines on which a value may be printed, in reading order, and its prints on each of them. */
export interface Prints {
  readonly lines: Lines;
  on(line: number): readonly Found[];
}

/** Every print of a value, line by line. */
export function printsOf(index: TextIndex, sought: Sought): Prints {
  return lookUp(index, sought, ({ lines, on }, accept) => ({
    lines,
    on: (line) => on(line).flatMap((place) => accept(place) ?? []),
  }));
}

/** Hands over what may be the value, and what says whether it is. */
function lookUp<R>(
  index: TextIndex,
  sought: Sought,
  use: <P extends Place>(candidates: Candidates<P>, accept: (place: P) => Found | null) => R,
): R {
  const { value } = sought;
  switch (sought.kind) {
    case 'money':
    case 'decimal':
    case 'count':
    case 'percent': {
      const units = minorUnitsOf(sought.currency) === 3 ? 3 : 2;
      const key = amountKey(value);
      const numbers: Candidates<NumberPlace> = {
        lines: index.linesOfDigits(digitsOf(key)),
        on: (line) => index.amounts[units].on(line, key),
      };
      return use(numbers, (place) =>
        fits(index, sought, place) ? { ...span(place), otherReadings: [] } : null,
      );
    }
    case 'date': {
      const dates: Candidates<DatePlace> = {
        lines: index.byDate.get(value) ?? [],
        on: (line) => index.dates.on(line, value),
      };
      return use(dates, (place) => ({
        ...span(place),
        otherReadings: place.readings.filter((reading) => reading !== value),
      }));
    }
    case 'currency': {
      const marks: Candidates<Place> = {
        lines: index.linesOfCurrency(value),
        on: (line) => index.marks.on(line, value),
      };
      return use(marks, (place) => ({ ...span(place), otherReadings: [] }));
    }
    case 'identifier':
    case 'text': {
      const words = wordsOfValue(value);
      const as = sought.kind === 'text' ? 'folded' : 'exact';
      return use(beginnings(index, words), (word) => phraseAt(word, words, as));
    }
  }
}

function fits(index: TextIndex, { kind, value, anySign }: Sought, { number }: NumberPlace): boolean {
  if (kind === 'percent' ? !number.percent && !index.hasPercentHeading : number.percent) return false;
  if (kind === 'count' && (number.shape.fraction !== null || number.sign === 'minus')) return false;
  if (number.hasUnit && kind !== 'decimal') return false;
  const negative = value.startsWith('-') && /[1-9]/.test(value);
  return (
    anySign || number.sign === 'either' || (number.sign === 'minus') === negative || !/[1-9]/.test(value)
  );
}

/** Words with which a text may begin. */
function beginnings(index: TextIndex, words: ReturnType<typeof wordsOfValue>): Candidates<Word> {
  const [opening, ...others] = words;
  if (opening === undefined) return { lines: [], on: () => [] };
  return {
    lines: index.linesOfText(words.map(({ folded }) => folded)),
    on: (line) => index.openingsOn(line)?.of([opening, ...others]) ?? [],
  };
}

function phraseAt(word: Word, words: ReturnType<typeof wordsOfValue>, as: 'exact' | 'folded'): Found | null {
  const last = matchFrom(word, words, as);
  // A text that is wrapped over two pages is shown where it begins.
  return last === null
    ? null
    : {
        page: word.page,
        start: word.start,
        end: last.page === word.page ? last.end : word.end,
        otherReadings: [],
      };
}

/** A word that begins so many places, none of them right, is the text's filling. */
const maximumPlaces = 50_000;

/** The first accepted place from the search's start on, then from the beginning, in reading order. */
function first<P extends Place>(
  index: TextIndex,
  { lines, on }: Candidates<P>,
  { from, within }: Search,
  accept: (place: P) => Found | null,
): Found | null {
  if (within !== null) {
    for (const line of index.linesIn(within)) {
      if (!hasLine(lines, line)) continue;
      for (const place of on(line)) {
        const found = accept(place);
        if (found !== null && within.some((area) => contains(area, found))) return found;
      }
    }
    return null;
  }
  if (lines.length === 0) return null;
  const startLine = from === null ? 0 : index.lineAt(from.page, from.end);
  const startsBehind = (line: number, place: P) =>
    from === null || line > startLine || (line === startLine && place.start >= from.end);
  const start = lowerBound(lines, startLine);
  let tried = 0;
  // The line of the start comes first and last: what is behind the start, then what is before it.
  for (let step = 0; step <= lines.length; step += 1) {
    const at = (start + step) % lines.length;
    const line = lines[at] as number;
    for (const place of on(line)) {
      if (startsBehind(line, place) !== step < lines.length - start) continue;
      const found = accept(place);
      if (found !== null) return found;
      tried += 1;
      if (tried === maximumPlaces) return null;
    }
  }
  return null;
}

/** Index of the first line from this one on. */
export function lowerBound(lines: Lines, line: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] as number) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

function hasLine(lines: Lines, line: number): boolean {
  const at = lowerBound(lines, line);
  return lines[at] === line;
}

export function contains(area: Place, place: Place): boolean {
  return area.page === place.page && area.start <= place.start && place.end <= area.end;
}

function span({ page, start, end }: Place): Place {
  return { page, start, end };
}
