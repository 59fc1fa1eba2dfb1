/** The most intervals that share an instant, each from its beginning up to, but not including, its end. Both ascending. */
export function mostAtOnce(beginnings: Float64Array, ends: Float64Array): number {
  let [most, ended] = [0, 0];
  for (let begun = 0; begun < beginnings.length; begun += 1) {
    const at = beginnings[begun] as number;
    while (ended < ends.length && (ends[ended] as number) <= at) ended += 1;
    most = Math.max(most, begun + 1 - ended);
  }
  return most;
}
