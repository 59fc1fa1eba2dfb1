/** "78.0 %". */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** "93.0 to 94.5": the bounds of an interval in percent, whose unit stands beside the share. */
export function bounds(low: number, high: number): string {
  return `${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)}`;
}

/** "16,009". */
export function count(value: number): string {
  const [whole = '', part] = String(Math.round(value * 100) / 100).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return part === undefined ? grouped : `${grouped}.${part}`;
}

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** "13.4 s", "250 ms", "unknown". Minutes from two on. */
export function time(ms: number | null): string {
  if (ms === null) return 'unknown';
  const [value, unit] = inUnits(ms);
  return `${value >= 100 || unit === 'ms' ? value.toFixed(0) : value.toFixed(1)} ${unit}`;
}

/** The same without a fraction of zero: "60 s", for axes and for what people set. */
export function shortTime(ms: number): string {
  return time(ms).replace('.0 ', ' ');
}

function inUnits(ms: number): readonly [value: number, unit: string] {
  if (ms < 1_000) return [ms, 'ms'];
  const found = units.find(([each]) => ms >= each * (each > 1_000 ? 2 : 1)) ?? ([1_000, 's'] as const);
  return [ms / found[0], found[1]];
}
