/**
 * Durations below which a share of a population ends, by Kaplan and Meier: those still open count as having lasted
 * longer than they did so far, instead of being left out. Both lists ascending, in ms; shares ascending, within (0, 1).
 * Null for a share that cannot be known yet.
 */
export function survivalQuantiles(
  ended: ArrayLike<number>,
  open: ArrayLike<number>,
  shares: readonly number[],
): readonly (number | null)[] {
  const found: number[] = [];
  let surviving = 1;
  let censored = 0;
  for (let at = 0; at < ended.length && found.length < shares.length; ) {
    const time = ended[at] as number;
    let next = at + 1;
    while (ended[next] === time) next += 1;
    // What is still open after as long as this was at risk of ending now.
    while ((open[censored] ?? Number.POSITIVE_INFINITY) < time) censored += 1;
    const atRisk = ended.length - at + open.length - censored;
    surviving *= 1 - (next - at) / atRisk;
    // The margin is for a million multiplications. Behind the last share nothing is small enough.
    while (surviving <= 1 - (shares[found.length] ?? 2) + 1e-9) found.push(time);
    at = next;
  }
  return shares.map((_, index) => found[index] ?? null);
}
