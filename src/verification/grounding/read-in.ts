import { minorUnitsOf } from '../currencies.js';
import { isCurrencyMark } from './currency-marks.js';
import { fold } from './fold.js';
import type { Sought } from './locate.js';
import { sizeOf } from './number-value.js';
import { type Place, printedAt, type TextIndex } from './text-index.js';

/**
 * The values of the sought kind that fill one of these stretches, but for a currency: plain decimals, ISO dates,
 * currency codes. A number within a sentence is no value of a field. For words and codes nothing is read, since any
 * word could be one.
 */
export function readIn(index: TextIndex, areas: readonly Place[], sought: Sought): readonly string[] {
  if (areas.length === 0) return [];
  const fills = (place: Place) => areas.some((area) => isFilledBy(index, area, place));
  switch (sought.kind) {
    case 'money':
    case 'decimal':
    case 'count':
    case 'percent': {
      const units = minorUnitsOf(sought.currency);
      return index.numbers
        .filter((place) => (sought.kind === 'percent') === place.number.percent && fills(place))
        .map(({ number }) => {
          const sign = number.sign === 'minus' && !sought.anySign ? '-' : '';
          return `${sign}${sizeOf(number, index.decimalMark, units)}`;
        });
    }
    case 'date':
      return [...index.byDate].filter(([, dates]) => dates.some(fills)).map(([reading]) => reading);
    case 'currency':
      return [...index.byCurrency].filter(([, marks]) => marks.some(fills)).map(([code]) => code);
    case 'identifier':
    case 'text':
      return [];
  }
}

function isFilledBy(index: TextIndex, area: Place, place: Place): boolean {
  if (area.page !== place.page || place.start < area.start || place.end > area.end) return false;
  const before = printedAt(index, { ...area, end: place.start });
  const behind = printedAt(index, { ...area, start: place.end });
  const rest = fold(`${before} ${behind}`);
  return rest.split(/[\s:#%()+-]+/).every((word) => word === '' || word === '.' || isCurrencyMark(word));
}
