/** Runs `job` for each item, at most `width` at once; resolves to how long each took, in ms, in their order. */
export async function crowd<Item>(
  items: readonly Item[],
  width: number,
  job: (item: Item) => Promise<unknown>,
): Promise<number[]> {
  const took: number[] = [];
  let next = 0;
  const walk = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const before = performance.now();
      await job(items[index] as Item);
      took[index] = performance.now() - before;
    }
  };
  await Promise.all(Array.from({ length: width }, walk));
  return took;
}

/** The value below which the share `p` of the values lies; NaN of none. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** How far the rounds lie apart, as a share of their median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}
