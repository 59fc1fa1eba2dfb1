const digitBits = 11;
const digits = 2 ** digitBits;
/** Fewer are sorted sooner by comparing them. */
const fewest = 2_000;

/**
 * These numbers, ascending. Whole numbers less than 2^32 apart, as ms are, are sorted digit by digit: a month of
 * durations takes a fifth of the time that comparing takes. Plain loops, which callbacks would make as slow.
 */
export function ascending(values: Float64Array): Float64Array {
  return (values.length < fewest ? null : byDigits(values)) ?? values.slice().sort();
}

/** Null when they are not such whole numbers. */
function byDigits(values: Float64Array): Float64Array | null {
  let [least, most, steps] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const value of values) {
    if (value < least) least = value;
    if (value >= most) most = value;
    else steps += 1;
  }
  // Instants often come in order.
  if (steps === 0) return values.slice();
  let [from, to] = [new Uint32Array(values.length), new Uint32Array(values.length)];
  for (let index = 0; index < values.length; index += 1) {
    const above = (values[index] as number) - least;
    from[index] = above;
    if (from[index] !== above) return null;
  }
  for (let shift = 0; 2 ** shift <= most - least; shift += digitBits) {
    sortByDigit(from, to, shift);
    [from, to] = [to, from];
  }
  const sorted = new Float64Array(values.length);
  for (let index = 0; index < values.length; index += 1) sorted[index] = (from[index] as number) + least;
  return sorted;
}

/** Those with the same digit stay in their order. */
function sortByDigit(from: Uint32Array, to: Uint32Array, shift: number): void {
  /** By digit: where the next number with it goes, which is behind all that have a smaller one. */
  const places = new Uint32Array(digits + 1);
  for (const value of from) {
    const next = ((value >>> shift) % digits) + 1;
    places[next] = (places[next] as number) + 1;
  }
  for (let digit = 1; digit < digits; digit += 1)
    places[digit] = (places[digit] as number) + (places[digit - 1] as number);
  for (const value of from) {
    const digit = (value >>> shift) % digits;
    const place = places[digit] as number;
    to[place] = value;
    places[digit] = place + 1;
  }
}
