import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fewestSlots,
  meanWaitMs,
  offeredLoad,
  p99WaitMs,
  slotsFor,
  waitingChance,
} from '../../src/planner/waiting.js';

/** Erlang C by its textbook sum, with factorials: right for few slots, and written in another way. */
function textbook(load: number, slots: number): number {
  let term = 1;
  let sum = 0;
  for (let n = 0; n < slots; n += 1) {
    sum += term;
    term = (term * load) / (n + 1);
  }
  const waiting = (term * slots) / (slots - load);
  return waiting / (sum + waiting);
}

describe('given one slot', () => {
  it('when it is half busy, then half of the calls wait, on average as long as a call takes', () => {
    expect(waitingChance(0.5, 1)).toBeCloseTo(0.5, 12);
    expect(meanWaitMs(0.5, 1, 1_000)).toBeCloseTo(1_000, 9);
    // M/M/1: P(W > t) = rho exp(-(1 - rho) t / S), so the 99th percentile is S ln(rho / 0.01) / (1 - rho).
    expect(p99WaitMs(0.5, 1, 1_000)).toBeCloseTo(2_000 * Math.log(50), 9);
  });
});

describe('given two slots', () => {
  it('when the load is 1, then a third of the calls wait', () => {
    expect(waitingChance(1, 2)).toBeCloseTo(1 / 3, 12);
    expect(meanWaitMs(1, 2, 3_000)).toBeCloseTo(1_000, 9);
  });
});

describe('given any load below the slots', () => {
  it('when the chance to wait is computed, then it is what the textbook sum says', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (slots, busy) => {
          expect(waitingChance(busy * slots, slots)).toBeCloseTo(textbook(busy * slots, slots), 9);
        },
      ),
    );
  });

  it('when slots are sized for a wait, then they keep it and one fewer does not', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 300, noNaN: true }),
        fc.integer({ min: 100, max: 60_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        (load, serviceMs, mostMs) => {
          const slots = slotsFor(load, serviceMs, mostMs);
          expect(p99WaitMs(load, slots, serviceMs)).toBeLessThanOrEqual(mostMs);
          const tight = p99WaitMs(load, slots - 1, serviceMs);
          expect(tight === null || tight > mostMs).toBe(true);
        },
      ),
    );
  });
});

describe('given a load that is not below the slots', () => {
  it('when the wait is asked for, then there is none to name: everybody waits, and longer with every arrival', () => {
    expect(waitingChance(12, 12)).toBe(1);
    expect(meanWaitMs(12, 12, 1_000)).toBeNull();
    expect(p99WaitMs(12.09, 12, 3_900)).toBeNull();
  });

  it('when the load is a whole number, then as many slots are not enough', () => {
    expect(fewestSlots(12)).toBe(13);
    expect(fewestSlots(161.35)).toBe(162);
    expect(offeredLoad(2, 1_500)).toBe(3);
  });
});
