/** Numbers that look random and are the same for the same seed and stream, on every machine. */
export interface Dice {
  /** Evenly drawn from [0, 1). */
  next(): number;
}

/**
 * Dice of one stream (sfc32). Every document has a stream of its own, so that another cap, budget or number of slots
 * changes nothing about the documents: what differs between two runs is what was changed.
 */
export function createDice(seed: number, stream: number): Dice {
  let a = mixed(seed, 0x9e3779b9);
  let b = mixed(stream, a);
  let c = mixed(Math.floor(stream / 2 ** 32), b);
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 8; round += 1) next();
  return { next };
}

/** A wait between random arrivals with this mean. */
export function exponential(dice: Dice, mean: number): number {
  return -Math.log(1 - dice.next()) * mean;
}

/** A duration around a median; `spread` is the standard deviation of its logarithm. */
export function logNormal(dice: Dice, median: number, spread: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - dice.next()));
  return median * Math.exp(spread * radius * Math.cos(2 * Math.PI * dice.next()));
}

/** One of these, by weight. Throws RangeError when nothing has any. */
export function pick<T extends { readonly weight: number }>(dice: Dice, entries: readonly T[]): T {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  let left = dice.next() * total;
  for (const entry of entries) {
    left -= entry.weight;
    if (left < 0) return entry;
  }
  const last = entries.findLast(({ weight }) => weight > 0);
  if (last === undefined) throw new RangeError('There is nothing to pick from.');
  return last;
}

/** The id of a document of this seed: 12 hexadecimal digits. */
export function documentId(seed: number, index: number): string {
  const high = mixed(index, mixed(seed, 0x85ebca6b)) >>> 0;
  const low = mixed(high, index) >>> 16;
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(4, '0');
}

/** Spreads the bits of `value` over 32 bits (the finaliser of MurmurHash3). */
function mixed(value: number, salt: number): number {
  let bits = (value ^ salt) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) | 0;
}
