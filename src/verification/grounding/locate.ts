import { minorUnitsOf } from '../currencies.js';
import { amountKey } from './number-value.js';
import type { NumberPlace, Place, TextIndex } from './text-index.js';
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

/** A place where the value is printed; null when it is printed nowhere that the search allows. */
export function locate(index: TextIndex, sought: Sought, search: Search): Found | null {
  switch (sought.kind) {
    case 'money':
    case 'decimal':
    case 'count':
    case 'percent': {
      const { three, usual } = index.bySize;
      const sizes = minorUnitsOf(sought.currency) === 3 ? three : usual;
      return first(sizes.get(amountKey(sought.value)), search, (place) =>
        fits(index, sought, place) ? { ...span(place), otherReadings: [] } : null,
      );
    }
    case 'date':
      return first(index.byDate.get(sought.value), search, (place) => ({
        ...span(place),
        otherReadings: place.readings.filter((reading) => reading !== sought.value),
      }));
    case 'currency':
      return first(index.byCurrency.get(sought.value), search, (place) => ({
        ...span(place),
        otherReadings: [],
      }));
    case 'identifier':
      return phrase(index, sought.value, search, 'exact');
    case 'text':
      return phrase(index, sought.value, search, 'folded');
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

function phrase(index: TextIndex, value: string, search: Search, as: 'exact' | 'folded'): Found | null {
  const words = wordsOfValue(value);
  const opening = words[0];
  if (opening === undefined) return null;
  // A word that is nowhere in the text saves trying all the places where the value could begin.
  if (!words.every(({ folded }) => index.byWord.has(folded))) return null;
  const places = index.byWord.get(opening.folded);
  return first(places, search, (word: Word) => {
    const last = matchFrom(index.words, word, words, as);
    // A text that is wrapped over two pages is shown where it begins.
    return last === null
      ? null
      : {
          page: word.page,
          start: word.start,
          end: last.page === word.page ? last.end : word.end,
          otherReadings: [],
        };
  });
}

/** A word that begins so many places, none of them right, is the text's filling. */
const maximumPlaces = 50_000;

/** The first accepted place from the search's start on, then from the beginning. Places are in reading order. */
function first<P extends Place>(
  places: readonly P[] | undefined,
  { from, within }: Search,
  accept: (place: P) => Found | null,
): Found | null {
  if (places === undefined) return null;
  const start = from === null ? 0 : lowerBound(places, from);
  for (let step = 0; step < Math.min(places.length, maximumPlaces); step += 1) {
    const place = places[(start + step) % places.length];
    const found = place && accept(place);
    if (found && (within === null || within.some((area) => contains(area, found)))) return found;
  }
  return null;
}

/** Index of the first place that begins at or after the end of `from`. */
function lowerBound(places: readonly Place[], from: Place): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const place = places[middle];
    if (
      place !== undefined &&
      (place.page < from.page || (place.page === from.page && place.start < from.end))
    ) {
      low = middle + 1;
    } else high = middle;
  }
  return low;
}

function contains(area: Place, place: Place): boolean {
  return area.page === place.page && area.start <= place.start && place.end <= area.end;
}

function span({ page, start, end }: Place): Place {
  return { page, start, end };
}
