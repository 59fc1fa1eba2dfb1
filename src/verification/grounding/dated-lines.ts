import { datesOf, settled } from './dates.js';
import type { DatePlace, IndexedPage } from './places.js';

/** What is printed in the figures of a line: its dates, and the line with blanks in their place. */
export interface Dated {
  readonly dates: readonly DatePlace[];
  readonly rest: string;
}

/** The lines with dates on them, by their number through all pages. What is in doubt is settled by the others. */
export function datedLines(pages: readonly IndexedPage[]): ReadonlyMap<number, Dated> {
  const lines: { at: number; rest: string }[] = [];
  const all = [];
  for (const { number, folded, lines: ofPage, linesBefore } of pages) {
    for (const [position, { start, end }] of ofPage.entries()) {
      const { dates, rest } = datesOf(folded.slice(start, end));
      if (dates.length === 0) continue;
      const at = linesBefore + position;
      lines.push({ at, rest });
      for (const date of dates) {
        all.push({ ...date, at, page: number, start: start + date.start, end: start + date.end });
      }
    }
  }
  const dated = new Map(lines.map(({ at, rest }) => [at, { dates: [] as DatePlace[], rest }] as const));
  for (const date of settled(all)) dated.get(date.at)?.dates.push(date);
  return dated;
}
