/** One attempt of a yield curve. */
export interface YieldPoint {
  readonly attempt: number;
  /** Share of all documents that make this attempt. */
  readonly reached: number;
  /** c(n): share of the documents that make this attempt which it verifies; 0 when none makes it. */
  readonly conditional: number;
  /** C(n): share of all documents verified after this attempt. */
  readonly cumulative: number;
  /** C(n) - C(n-1) per thousand documents; 0 for the first attempt, which rescues nobody. */
  readonly rescuedPerThousand: number;
}

/**
 * The curve from its cumulative column. `reached` null: every document that is left makes the attempt, so that
 * C(n+1) = C(n) + (1 - C(n)) c(n+1).
 */
export function yieldCurve<Row extends { readonly cumulativePass: number; readonly reached: number | null }>(
  rows: readonly Row[],
): readonly (Row & { readonly point: YieldPoint })[] {
  return rows.map((row, index) => {
    const before = rows[index - 1]?.cumulativePass ?? 0;
    const reached = row.reached ?? 1 - before;
    const gained = row.cumulativePass - before;
    const point: YieldPoint = {
      attempt: index + 1,
      reached,
      conditional: reached > 0 ? gained / reached : 0,
      cumulative: row.cumulativePass,
      rescuedPerThousand: index === 0 ? 0 : gained * 1_000,
    };
    return { ...row, point };
  });
}

/** The cumulative column from conditional rates: C(1) = c(1), then C(n+1) = C(n) + (1 - C(n)) c(n+1). */
export function cumulativePass(conditional: readonly number[]): readonly number[] {
  let passed = 0;
  return conditional.map((rate) => {
    passed += (1 - passed) * rate;
    return passed;
  });
}
