/** Digits of a key that are read: 2^48 different shares, still exact as a number. */
const digits = 12;

/**
 * True when the verified record of this extraction is one that a person looks at too. `share` lies between 0 and 1. The
 * key is a hash, so its first digits are the dice: the same extraction is in the sample or not, whoever asks, whenever.
 */
export function isSampled(key: string, share: number): boolean {
  return Number.parseInt(key.slice(0, digits), 16) < share * 16 ** digits;
}
