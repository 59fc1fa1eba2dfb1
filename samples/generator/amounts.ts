/** Money as a whole number of smallest units beside the number of decimals, so that every sum is exact. */
export type Currency = 'EUR' | 'USD' | 'CHF' | 'JPY' | 'BHD' | 'KWD';

/** ISO 4217 minor units of the currencies the samples use. */
export const MINOR_UNITS: Readonly<Record<Currency, number>> = {
  EUR: 2,
  USD: 2,
  CHF: 2,
  JPY: 0,
  BHD: 3,
  KWD: 3,
};

/** How a country writes numbers: 1,204.38, 1.204,38 or 1'204.38. */
export type NumberStyle = 'point' | 'comma' | 'apostrophe';

const MARKS: Readonly<Record<NumberStyle, readonly [group: string, decimal: string]>> = {
  point: [',', '.'],
  comma: ['.', ','],
  apostrophe: ["'", '.'],
};

/** `units` with `decimals` decimals as a plain decimal: (-1204375n, 3) is "-1204.375". */
export function plain(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  return `${units < 0n ? '-' : ''}${digits.slice(0, cut)}${decimals > 0 ? `.${digits.slice(cut)}` : ''}`;
}

/** A plain decimal as a paper of this style prints it. */
export function printed(decimal: string, style: NumberStyle): string {
  const [group, point] = MARKS[style];
  const [whole = '', decimals] = decimal.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  return decimals === undefined ? grouped : `${grouped}${point}${decimals}`;
}

/** `units` times ten to the minus `drop`, rounded half away from zero. */
export function dropDecimals(units: bigint, drop: number): bigint {
  const divisor = 10n ** BigInt(drop);
  const half = divisor / 2n;
  return units < 0n ? -((-units + half) / divisor) : (units + half) / divisor;
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
