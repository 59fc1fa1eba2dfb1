import type { Money } from '../domain/money.js';
import { bounds, percent } from '../plots/words.js';
import type { EstimatedShare } from './estimated-share.js';

/** "2026-03-01 12:00 UTC". */
export function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Amounts by currency; a dash for none. */
export function money(sums: readonly Money[] | null): string {
  if (sums === null || sums.length === 0) return '–';
  return sums.map(({ amount, currency }) => `${amount} ${currency}`).join(' and ');
}

/** "78.0 % (77.1 to 78.9)"; a dash where there is nothing it could be a share of. */
export function estimated({ share, interval }: EstimatedShare): string {
  return share === null ? '–' : `${percent(share)} (${bounds(interval.low, interval.high)})`;
}
