/** A date as printed, with every day it can mean. Offsets into the page. */
export interface PrintedDate {
  readonly start: number;
  readonly end: number;
  /** ISO dates, the likelier first; two when day and month can be swapped. */
  readonly readings: readonly string[];
  /** What the print gives away about the order of day and month; null for nothing. */
  readonly order: 'day' | 'month' | null;
}

/** Beginnings of month names, in English, German, French, Spanish, Italian, Dutch and Portuguese. */
const months: readonly RegExp[] = [
  /^(jan|ene|gen)/,
  /^(feb|fév|fev)/,
  /^(mar|mär|mrz|maa|mrt)/,
  /^(apr|avr|abr)/,
  /^(may|mai|mei|mag)/,
  /^(jun|jui?n|giu)/,
  /^(jul|juil|lug)/,
  /^(aug|aoû|aou|ago)/,
  /^(sep|set)/,
  /^(oct|okt|out|ott)/,
  /^(nov)/,
  /^(dec|déc|dez|dic)/,
];

/** Longest month name of those languages: "septiembre" has 10 letters. */
const word = '(\\p{L}{3,10})\\.?';
const year = "(\\d{4}|'?\\d{2})";
const between = '(?:[ \\u00a0]|-|,[ \\u00a0]?|[ \\u00a0](?:de|of|del)[ \\u00a0])';
const apart = '(?<![\\p{L}\\p{N}][-/.]|[\\p{L}\\p{N}])';

type Parts = readonly (string | undefined)[];

/** What dates in figures, and dates with the name of a month, cannot be without: most lines have neither. */
const figures = /\d[-/.] ?\d{1,2}[-/.]/;
const characters = /年/;
const monthNames = new RegExp(months.map(({ source }) => source.slice(1)).join('|'), 'i');

const needed = [figures, characters, monthNames];

/** Each way of printing a date, what it cannot be without, and how its groups become year, month and day. */
const styles: readonly (readonly [needs: RegExp, RegExp, (groups: Parts) => readonly string[]])[] = [
  [figures, style(`(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})`), ([y, , m, d]) => day(y, m, d)],
  [characters, style(`(\\d{4})[ ]?年[ ]?(\\d{1,2})[ ]?月[ ]?(\\d{1,2})[ ]?日`), ([y, m, d]) => day(y, m, d)],
  [monthNames, style(`(\\d{4})-${word}-(\\d{1,2})`), ([y, m, d]) => day(y, monthOf(m), d)],
  [
    monthNames,
    style(`(\\d{1,2})(?:st|nd|rd|th|\\.|er|º)?${between}${word}${between}${year}`),
    ([d, m, y]) => day(y, monthOf(m), d),
  ],
  [
    monthNames,
    style(`${word}[ \\u00a0](\\d{1,2})(?:st|nd|rd|th)?${between}${year}`),
    ([m, d, y]) => day(y, monthOf(m), d),
  ],
  [
    figures,
    style(`(\\d{1,2})([-/])(\\d{1,2})\\2${year}`),
    ([a, , b, y]) => [...day(y, b, a), ...day(y, a, b)],
  ],
  // With points the day comes first wherever it can.
  [
    figures,
    style(`(\\d{1,2})\\.[ ]?(\\d{1,2})\\.[ ]?(\\d{4}|\\d{2})`),
    ([d, m, y]) => [...day(y, m, d), ...(Number(m) > 12 ? day(y, d, m) : [])],
  ],
];

function style(source: string): RegExp {
  return new RegExp(`${apart}${source}(?![\\p{N}]|[-/.]\\d)`, 'giu');
}

/** The dates of a folded page, in order, and the page with blanks in their place, so that no day is read as a number. */
export interface DatedPage {
  readonly dates: readonly PrintedDate[];
  readonly rest: string;
}

/** Finds every date. `03/04/2024` keeps two readings; which one is meant may be `settled` by other dates. */
export function datesOf(page: string): DatedPage {
  const dates: PrintedDate[] = [];
  const lacking = needed.filter((needs) => !needs.test(page));
  if (lacking.length === needed.length) return { dates, rest: page };
  let rest = page;
  for (const [needs, pattern, read] of styles) {
    if (lacking.includes(needs)) continue;
    rest = rest.replace(pattern, (printed: string, ...groups: (string | number | undefined)[]) => {
      const offset = groups.findIndex((group) => typeof group === 'number');
      const start = groups[offset] as number;
      const readings = [...new Set(read(groups.slice(0, offset) as (string | undefined)[]))];
      if (readings.length === 0) return printed;
      dates.push({ start, end: start + printed.length, readings, order: orderOf(printed) });
      return ' '.repeat(printed.length);
    });
  }
  return { dates: dates.sort((a, b) => a.start - b.start), rest };
}

/**
 * The dates of a document, those with two readings narrowed to one where its unmistakable numeric dates all put the
 * day first, or all the month. Where they do not say, both readings stay.
 */
export function settled<D extends PrintedDate>(dates: readonly D[]): readonly D[] {
  const orders = new Set(dates.flatMap(({ order }) => order ?? []));
  if (orders.size !== 1) return dates;
  const kept = orders.has('day') ? 0 : 1;
  return dates.map((date) =>
    date.readings.length < 2 ? date : { ...date, readings: date.readings.slice(kept, kept + 1) },
  );
}

/** Which part stands first in a numeric date with one reading; null when the date does not tell. */
function orderOf(printed: string): 'day' | 'month' | null {
  const parts = /^(\d{1,2})[-/](\d{1,2})[-/]/.exec(printed);
  if (parts === null) return null;
  if (Number(parts[1]) > 12) return 'day';
  return Number(parts[2]) > 12 ? 'month' : null;
}

function monthOf(name: string | undefined): string | undefined {
  const index = months.findIndex((month) => month.test(String(name).toLowerCase()));
  return index < 0 ? undefined : String(index + 1);
}

/** The ISO date, or none when the calendar has no such day. Two-digit years from 70 on lie in the last century. */
function day(y: string | undefined, m: string | undefined, d: string | undefined): readonly string[] {
  if (y === undefined || m === undefined || d === undefined) return [];
  const digits = y.replace("'", '');
  const full = digits.length === 4 ? digits : `${Number(digits) >= 70 ? '19' : '20'}${digits}`;
  const [month, dayOfMonth] = [Number(m), Number(d)];
  if (month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > daysIn(Number(full), month)) return [];
  return [`${full}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`];
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
