import { minorUnitsOf } from '../currencies.js';
import { isCurrencyMark } from './currency-marks.js';
import { fold } from './fold.js';
import type { Sought } from './locate.js';
import { sizeOf } from './number-value.js';
import { type Place, printedAt } from './places.js';
import type { TextIndex } from './text-index.js';

/**
 * The values of the sought kind that fill one of these stretches, but for a currency: plain decimals, ISO dates,
 * currency codes. A number within a sentence is no value of a field. For words and codes nothing is read, since any
 * word could be one.
 */
export function readIn(
  index: TextIndex,
  areas: readonly Place[],
  sought: Omit<Sought, 'value'>,
): readonly string[] {
  if (areas.length === 0) return [];
  const lines = index.linesIn(areas);
  const fills = (place: Place) => areas.some((area) => isFilledBy(index, area, place));
  switch (sought.kind) {
    case 'money':
    case 'decimal':
    case 'count':
    case 'percent': {
      const units = minorUnitsOf(sought.currency);
      return lines
        .flatMap((line) => index.numbersOn(line))
        .filter((place) => (sought.kind === 'percent') === place.number.percent && fills(place))
        .map(({ number }) => {
          const sign = number.sign === 'minus' && !sought.anySign ? '-' : '';
          return `${sign}${sizeOf(number, index, units)}`;
        });
    }
    case 'date':
      return inOrderOf(
        () => [...index.byDate.keys()],
        lines.flatMap((line) => index.datesOn(line).filter(fills)).flatMap(({ readings }) => readings),
      );
    case 'currency':
      return inOrderOf(
        () => index.currencies,
        lines.flatMap((line) => index.currenciesOn(line).filter(fills)).map(({ code }) => code),
      );
    case 'identifier':
    case 'text':
      return [];
  }
}

/** Each once, in the order in which the document first has them. */
function inOrderOf(order: () => readonly string[], found: readonly string[]): readonly string[] {
  const once = new Set(found);
  return once.size < 2 ? [...once] : order().filter((value) => once.has(value));
}

function isFilledBy(index: TextIndex, area: Place, place: Place): boolean {
  if (area.page !== place.page || place.start < area.start || place.end > area.end) return false;
  const before = printedAt(index, { ...area, end: place.start });
  const behind = printedAt(index, { ...area, start: place.end });
  const rest = fold(`${before} ${behind}`);
  return rest.split(/[\s:#%()+-]+/).every((word) => word === '' || word === '.' || isCurrencyMark(word));
}
