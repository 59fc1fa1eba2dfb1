import { monthNames } from '../parts/time.js';
import type { Span } from '../query.js';

/** As drawings name it, for the script to write it in the reader's zone: an hour, or the date in what lasts for days. */
export function clockOf(at: number, time: Span) {
  const instant = new Date(at).toISOString();
  if (time === '1h' || time === '24h') return { name: instant.slice(11, 16), instant };
  const name = `${Number(instant.slice(8, 10))} ${monthNames[Number(instant.slice(5, 7)) - 1] ?? ''}`;
  return { name, instant, form: 'date' as const };
}
