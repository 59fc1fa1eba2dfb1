import { createDice, exponential } from './dice.js';
import type { Phase } from './scenario.js';

/** The stream of the arrivals' dice; documents have the streams from 0. */
const arrivalStream = 2 ** 40;

/** Instants of random arrivals, in whole ms, one after the other without end. */
export function* randomArrivals(seed: number, phases: readonly Phase[]): Generator<number, never> {
  const dice = createDice(seed, arrivalStream);
  let at = 0;
  for (;;) {
    for (const { durationMs, perSecond } of phases) {
      const end = at + durationMs;
      // Without memory, a wait that outlasts its phase may be drawn anew in the next one.
      const meanMs = perSecond > 0 ? 1_000 / perSecond : Number.POSITIVE_INFINITY;
      for (let next = at + exponential(dice, meanMs); next < end; next += exponential(dice, meanMs)) {
        yield Math.floor(next);
      }
      at = end;
    }
  }
}
