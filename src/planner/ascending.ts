const digitBits = 11;
const digits = 2 ** digitBits;
/** Fewer are sorted sooner by comparing them. */
const fewest = 2_000;
/** One of so many may come too late, for the others to be taken as they come. */
const oneOf = 8;
/** So many places for each number are counted sooner than its digits are sorted. */
const mostPlaces = 4;

/**
 * These numbers, ascending. Whole numbers that lie close together, as durations in ms do, are counted; those less than
 * 2^32 apart, as instants are, are sorted digit by digit: a month of them takes a fifth of the time that comparing takes.
 * Plain loops, which callbacks would make as slow.
 */
export function ascending(values: Float64Array): Float64Array {
  let [least, most, late] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const value of values) {
    if (value < least) least = value;
    if (value >= most) most = value;
    else late += 1;
  }
  // Instants mostly come in order.
  if (late * oneOf <= values.length) return byMerging(values, late);
  const range = most - least;
  const sorted =
    range <= mostPlaces * values.length
      ? byCounting(values, least, range)
      : values.length < fewest
        ? null
        : byDigits(values, least, range);
  return sorted ?? values.slice().sort();
}

/** Of numbers in order but for some that come after a larger one: those are sorted alone, and put among the others. */
function byMerging(values: Float64Array, late: number): Float64Array {
  const [sorted, others] = [new Float64Array(values.length), new Float64Array(late)];
  let [inOrder, most] = [0, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    if (value >= most) {
      most = value;
      sorted[inOrder] = value;
      inOrder += 1;
    } else others[index - inOrder] = value;
  }
  others.sort();
  // From the largest down, so that nothing is written over that is still to be read.
  for (let left = late; left > 0; ) {
    const [own, other] = [sorted[inOrder - 1] as number, others[left - 1] as number];
    const isOwn = own > other;
    sorted[inOrder + left - 1] = isOwn ? own : other;
    if (isOwn) inOrder -= 1;
    else left -= 1;
  }
  return sorted;
}

/** Null when they are not whole numbers. */
function byCounting(values: Float64Array, least: number, range: number): Float64Array | null {
  const counts = new Uint32Array(range + 1);
  for (const value of values) {
    const place = Math.floor(value - least);
    if (place + least !== value) return null;
    counts[place] = (counts[place] as number) + 1;
  }
  const sorted = new Float64Array(values.length);
  let next = 0;
  for (let place = 0; place <= range; place += 1) {
    for (let left = counts[place] as number; left > 0; left -= 1) {
      sorted[next] = place + least;
      next += 1;
    }
  }
  return sorted;
}

/** Null when they are no whole numbers, or too far apart. */
function byDigits(values: Float64Array, least: number, range: number): Float64Array | null {
  let [from, to] = [new Uint32Array(values.length), new Uint32Array(values.length)];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    from[index] = value - least;
    if ((from[index] as number) + least !== value) return null;
  }
  for (let shift = 0; 2 ** shift <= range; shift += digitBits) {
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
