import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allowedRepairs, permitFits } from '../../src/domain/repair-budget.js';

const budget = { share: 0.1, floor: 10, windowMs: 300_000 };

describe('the repair budget', () => {
  test('allows the floor while traffic is quiet, and the share once it is larger', () => {
    expect([0, 99, 100, 109, 110, 1_000].map((primaries) => allowedRepairs(budget, primaries))).toEqual([
      10, 10, 10, 10, 11, 100,
    ]);
  });

  test('counts in whole repairs, undisturbed by binary fractions', () => {
    expect(allowedRepairs({ ...budget, share: 0.29 }, 100)).toBe(29);
    expect(allowedRepairs({ ...budget, share: 0.07 }, 300)).toBe(21);
    expect(allowedRepairs({ ...budget, floor: 0.5, share: 0 }, 100)).toBe(0);
  });

  test('grants the last permit and no further one', () => {
    expect(permitFits(budget, { primaries: 200, repairs: 19 })).toBe(true);
    expect(permitFits(budget, { primaries: 200, repairs: 20 })).toBe(false);
    expect(permitFits(budget, { primaries: 0, repairs: 9 })).toBe(true);
    expect(permitFits(budget, { primaries: 0, repairs: 10 })).toBe(false);
  });

  test('of nothing grants nothing: repairs are paused', () => {
    expect(permitFits({ ...budget, share: 0, floor: 0 }, { primaries: 5_000, repairs: 0 })).toBe(false);
  });

  test('keeps a bad deploy, in which every document fails, to the share or the floor', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(20),
        fc.nat(2_000),
        (share, floor, primaries) => {
          let repairs = 0;
          while (permitFits({ share, floor, windowMs: 1 }, { primaries, repairs })) repairs += 1;
          expect(repairs).toBeLessThanOrEqual(Math.max(floor, share * primaries + 1e-9));
          expect(repairs).toBeGreaterThan(Math.max(floor, share * primaries) - 1);
        },
      ),
    );
  });
});
