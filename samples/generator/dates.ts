export type DateStyle = 'iso' | 'long' | 'short' | 'dotted' | 'month';

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** A plain ISO date as a paper of this style prints it: no style here can be read two ways. */
export function printedDay(iso: string, style: DateStyle): string {
  const [year = '', month = '', day = ''] = iso.split('-');
  const name = MONTHS[Number(month) - 1] ?? '';
  switch (style) {
    case 'iso':
      return iso;
    case 'long':
      return `${Number(day)} ${name} ${year}`;
    case 'short':
      return `${day} ${name.slice(0, 3)} ${year}`;
    case 'dotted':
      return `${day}.${month}.${year}`;
    case 'month':
      return `${name} ${Number(day)}, ${year}`;
  }
}

/** The ISO date `days` after another. */
export function later(iso: string, days: number): string {
  return new Date(Date.parse(`${iso}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
