import { decide } from '../../../src/domain/decide.js';
import { evolve } from '../../../src/domain/evolve.js';
import { faults } from '../../../src/domain/fault.js';
import { initialState } from '../../../src/domain/initial-state.js';
import { dear, letterNamed, letters, quick, ruinous, slow, untold } from './alphabet.js';
import type { Core, World } from './explorer.js';
import type { Bounds } from './oracle.js';

export const core: Core = { initialState, decide, evolve };

/**
 * Everything at once, in numbers that meet their bounds exactly somewhere: a start at 135 with a prior of 15, a start
 * at 95 with a pause of 30, a permit after 115 all just fit a deadline of 150; one `dear` attempt fits the token cap,
 * two do not; the patience holds one pause and a half.
 */
export function world(bounds: Partial<Bounds>, over: Partial<World> = {}): World {
  return {
    bounds: {
      cap: 3,
      deadlineMs: 150,
      tokenCap: 1_000,
      centCap: null,
      ceilings: [10, 20, 30],
      priors: [15, 25],
      patienceMs: 45,
      pauseMs: 30,
      ...bounds,
    },
    letters,
    prices: [quick, slow, dear],
    faults: [
      ...faults.map((fault) => [fault, quick] as const),
      ['provider_unavailable', ruinous],
      ['provider_unavailable', untold],
    ],
    starts: [0, 95, 135, 140],
    permits: [0, 115],
    lowerings: [1, 2, 9],
    ...over,
  };
}

/** Fewer things that may happen, so that longer runs fit. */
export function smallWorld(bounds: Partial<Bounds>, names: readonly string[]): World {
  return world(bounds, {
    letters: names.map(letterNamed),
    prices: [quick],
    faults: [['provider_unavailable', quick]],
    starts: [0],
    permits: [0],
    lowerings: [2],
  });
}
