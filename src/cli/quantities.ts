import { InvalidArgumentError } from 'commander';

const scales: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000, g: 1_000_000_000 };

/** A number of tokens: "30M", "1.5M", "500k" or "30000000". */
export function tokens(text: string): number {
  const [, number = '', scale = ''] = /^(\d{1,12}(?:\.\d{1,6})?)([kKmMgG]?)$/.exec(text) ?? [];
  const count = Math.round(Number(number) * (scales[scale.toLowerCase()] ?? 1));
  if (number !== '' && count >= 1) return count;
  throw new InvalidArgumentError('It must be a number of tokens such as 30M, 500k or 30000000.');
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A length of time in ms: "6h", "90m", "45s", "1h30m"; "0" is none. */
export function duration(text: string): number {
  const parts = [...text.matchAll(/(\d{1,6})([smhd])/g)];
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join('') === text;
  if (text === '0') return 0;
  if (isWhole)
    return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0), 0);
  throw new InvalidArgumentError('It must be a length of time such as 6h, 90m, 45s or 1h30m.');
}

/** As `duration`, more than none. */
export function someTime(text: string): number {
  const ms = duration(text);
  if (ms > 0) return ms;
  throw new InvalidArgumentError('It must be longer than 0.');
}
