import type { Money } from '../../domain/money.js';
import { minorUnitsOf } from '../../verification/currencies.js';

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

/** 16,009 */
export function count(value: number): string {
  return whole.format(value);
}

/** 78.0 %; a dash where there is nothing it could be a share of. */
export function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`;
}

/** 2.4 s, 3 min 12 s, 3 h 52 min, 14 d: two units at most. */
export function duration(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 100_000) return `${(ms / 1_000).toFixed(ms % 1_000 === 0 ? 0 : 1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) {
    return `${Math.floor(seconds / 60)} min${seconds % 60 === 0 ? '' : ` ${seconds % 60} s`}`;
  }
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return minutes < 14_400
    ? `${Math.floor(minutes / 1_440)} d ${Math.floor((minutes % 1_440) / 60)} h`
    : `${Math.floor(minutes / 1_440)} d`;
}

/** 1,204.375 BHD: grouped, with the decimals of its currency at least. Every digit stays. */
export function money({ amount, currency }: Money): string {
  return `${decimals(amount, minorUnitsOf(currency) ?? 0)} ${currency}`;
}

/** Groups the digits of a decimal text and pads its decimals; anything else stays as it is. */
export function decimals(amount: string, least: number): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount);
  if (parts === null) return amount;
  const [, sign = '', integer = '0', fraction = ''] = parts;
  const grouped = integer.replace(/\B(?=(\d{3})+$)/g, ',');
  const padded = fraction.padEnd(least, '0');
  return `${sign}${grouped}${padded === '' ? '' : `.${padded}`}`;
}

/** A cost as people read it: four digits behind the point, more only where it would read as nothing. */
export function cost({ amount, currency }: Money): string {
  const value = Number(amount);
  if (value === 0) return `0 ${currency}`;
  return `${value.toFixed(value < 0.0005 ? 6 : value < 100 ? 4 : 2)} ${currency}`;
}

/** 214 KiB */
export function bytes(size: number): string {
  if (size < 1_024) return `${size} bytes`;
  return size < 1_048_576 ? `${(size / 1_024).toFixed(0)} KiB` : `${(size / 1_048_576).toFixed(1)} MiB`;
}

/** One, or many: "1 call", "3 calls". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A pointer in words, for fields of a spec that is not known: `/line_items/0/amount` is "Line items 1 amount". */
export function spelled(pointer: string): string {
  const words = pointer
    .split('/')
    .slice(1)
    .map((token) => (/^\d+$/.test(token) ? String(Number(token) + 1) : token.replaceAll('_', ' ')))
    .join(' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
