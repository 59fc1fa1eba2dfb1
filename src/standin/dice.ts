import { createHash } from 'node:crypto';

/**
 * A number in [0, 1) that depends on nothing but its arguments, so that the same seed and the same document always
 * meet the same fate, in whatever order requests arrive.
 */
export function roll(seed: number, ...about: readonly (string | number)[]): number {
  const digest = createHash('sha256')
    .update([seed, ...about].join('\u0000'))
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/** One of `options`, chosen by {@link roll}. Throws RangeError when there is nothing to choose from. */
export function pick<T>(options: readonly T[], seed: number, ...about: readonly (string | number)[]): T {
  const chosen = options[Math.floor(roll(seed, ...about) * options.length)];
  if (chosen === undefined) throw new RangeError('There is nothing to choose from.');
  return chosen;
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
