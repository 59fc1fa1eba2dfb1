import { createHash } from 'node:crypto';

/** Seeded choices: the same seed and name make the same sequence on every machine. */
export interface Chance {
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  one<T>(options: readonly T[]): T;
}

export function chanceFor(seed: number, name: string): Chance {
  let drawn = 0;
  const next = (): number => {
    drawn += 1;
    return createHash('sha256').update(`${seed}/${name}/${drawn}`).digest().readUIntBE(0, 6) / 2 ** 48;
  };
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    whole,
    one: (options) => {
      const chosen = options[whole(0, options.length - 1)];
      if (chosen === undefined) throw new RangeError('There is nothing to choose from.');
      return chosen;
    },
  };
}
