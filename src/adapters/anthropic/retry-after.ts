/**
 * How long a provider asks to be left alone, in milliseconds, or null when it does not say so in a form that can be
 * obeyed. Reads `retry-after-ms` (milliseconds) first, then `retry-after` as seconds or as an HTTP date, which is
 * measured from `now` (epoch ms). A moment that has passed is 0.
 */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const exact = decimal(headers.get('retry-after-ms'));
  if (exact !== null) return Math.ceil(exact);
  const header = headers.get('retry-after');
  const seconds = decimal(header);
  if (seconds !== null) return Math.ceil(seconds * 1000);
  // Only the three HTTP date forms, all of which name the weekday: Date.parse alone would take almost anything.
  if (header === null || !/^\s*(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(header)) return null;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** A non-negative decimal below about 31 years in seconds; anything else is no answer. */
function decimal(header: string | null): number | null {
  if (header === null || !/^\s*\d{1,9}(?:\.\d{1,9})?\s*$/.test(header)) return null;
  return Number(header);
}
