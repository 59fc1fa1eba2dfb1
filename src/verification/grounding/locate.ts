import { minorUnitsOf } from '../currencies.js';
import { digitsOf } from './atoms.js';
import { amountKey } from './number-value.js';
import type { NumberPlace, Place } from './places.js';
import { firstAt, type Lines } from './postings.js';
import type { TextIndex } from './text-index.js';
import { type Comparable, matchFrom, type Word, wordsOfValue } from './words.js';

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

/** Where a value is printed. */
export interface Prints {
  /** Lines on which it may be, in reading order. */
  readonly lines: Lines;
  /** Its prints on one of them. */
  on(line: number): readonly Found[];
  /** One of its prints; null when it is printed nowhere that the search allows. */
  first(search: Search): Found | null;
}

/** A place where the value is printed; null when it is printed nowhere that the search allows. */
export function locate(index: TextIndex, sought: Sought, search: Search): Found | null {
  return printsOf(index, sought).first(search);
}

/** Every print of a value. */
export function printsOf(index: TextIndex, sought: Sought): Prints {
  const { value } = sought;
  switch (sought.kind) {
    case 'money':
    case 'decimal':
    case 'count':
    case 'percent': {
      const units = minorUnitsOf(sought.currency) === 3 ? 3 : 2;
      const key = amountKey(value);
      return new Candidates(
        index,
        index.linesOfDigits(digitsOf(key)),
        (line) => index.amounts[units].on(line, key),
        (place) => (fits(index, sought, place) ? { ...span(place), otherReadings: [] } : null),
      );
    }
    case 'date':
      return new Candidates(
        index,
        index.byDate.get(value) ?? [],
        (line) => index.dates.on(line, value),
        (place) => ({
          ...span(place),
          otherReadings: place.readings.filter((reading) => reading !== value),
        }),
      );
    case 'currency':
      return new Candidates(
        index,
        index.linesOfCurrency(value),
        (line) => index.marks.on(line, value),
        (place) => ({ ...span(place), otherReadings: [] }),
      );
    case 'identifier':
    case 'text': {
      const [opening, ...others] = wordsOfValue(value);
      if (opening === undefined) return nowhere;
      const words = [opening, ...others] as const;
      const as = sought.kind === 'text' ? 'folded' : 'exact';
      return new Candidates(
        index,
        index.linesOfText(words.map(({ folded }) => folded)),
        (line) => index.openingsOn(line)?.of(words) ?? [],
        (word) => phraseAt(word, words, as),
      );
    }
  }
}

/** A value of nothing but punctuation. */
const nowhere: Prints = { lines: [], on: () => [], first: () => null };

function fits(index: TextIndex, { kind, value, anySign }: Sought, { number }: NumberPlace): boolean {
  if (kind === 'percent' ? !number.percent && !index.hasPercentHeading : number.percent) return false;
  if (kind === 'count' && (number.shape.fraction !== null || number.sign === 'minus')) return false;
  if (number.hasUnit && kind !== 'decimal') return false;
  const negative = value.startsWith('-') && /[1-9]/.test(value);
  return (
    anySign || number.sign === 'either' || (number.sign === 'minus') === negative || !/[1-9]/.test(value)
  );
}

function phraseAt(word: Word, words: readonly Comparable[], as: keyof Comparable): Found | null {
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

/** What may be a value, and what says whether it is. */
class Candidates<P extends Place> implements Prints {
  readonly lines: Lines;
  private readonly index: TextIndex;
  private readonly placesOn: (line: number) => readonly P[];
  private readonly accept: (place: P) => Found | null;
  private readonly found = new Map<number, readonly Found[]>();

  constructor(
    index: TextIndex,
    lines: Lines,
    placesOn: (line: number) => readonly P[],
    accept: (place: P) => Found | null,
  ) {
    this.index = index;
    this.lines = lines;
    this.placesOn = placesOn;
    this.accept = accept;
  }

  on(line: number): readonly Found[] {
    const known = this.found.get(line) ?? this.placesOn(line).flatMap((place) => this.accept(place) ?? []);
    this.found.set(line, known);
    return known;
  }

  first({ from, within }: Search): Found | null {
    return within === null ? this.firstFrom(from) : this.firstWithin(within);
  }

  private firstWithin(within: readonly Place[]): Found | null {
    for (const line of this.index.linesIn(within)) {
      if (!hasLine(this.lines, line)) continue;
      for (const found of this.on(line)) if (within.some((area) => contains(area, found))) return found;
    }
    return null;
  }

  /** The first accepted place from the search's start on, then from the beginning, in reading order. */
  private firstFrom(from: Place | null): Found | null {
    const { lines } = this;
    const startLine = from === null ? 0 : this.index.lineAt(from.page, from.end);
    const start = lowerBound(lines, startLine);
    let tried = 0;
    // The line of the start comes first and last: what is behind the start, then what is before it.
    for (let step = 0; lines.length > 0 && step <= lines.length; step += 1) {
      const line = lines[(start + step) % lines.length] as number;
      for (const place of this.placesOn(line)) {
        const isBehind = from === null || line > startLine || (line === startLine && place.start >= from.end);
        if (isBehind !== step < lines.length - start) continue;
        const found = this.accept(place);
        if (found !== null) return found;
        tried += 1;
        if (tried === maximumPlaces) return null;
      }
    }
    return null;
  }
}

/** Index of the first line from this one on. */
export function lowerBound(lines: Lines, line: number): number {
  return firstAt(0, lines.length, (at) => (lines[at] as number) >= line);
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
