/** Bounds of a share, both between 0 and 1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Standard normal quantile for 95 % between the bounds. */
const z = 1.959_963_984_540_054;

/**
 * The Wilson score interval at 95 % of `successes` out of `trials`: sensible for few trials and for shares near 0 and 1,
 * where the textbook interval leaves the range or has no width. No trials say nothing: 0 to 1.
 */
export function wilsonInterval(successes: number, trials: number): Interval {
  if (trials === 0) return { low: 0, high: 1 };
  const share = successes / trials;
  const spread = 1 + z ** 2 / trials;
  const middle = (share + z ** 2 / (2 * trials)) / spread;
  const half = (z / spread) * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  // At the ends the formula is exact but its floating point is not.
  return {
    low: successes === 0 ? 0 : Math.max(0, middle - half),
    high: successes === trials ? 1 : Math.min(1, middle + half),
  };
}
