import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ascending } from '../../src/planner/ascending.js';

describe('given numbers of any kind', () => {
  const kinds = fc.oneof(
    fc.constant({ min: 0, max: 3 }),
    fc.constant({ min: 0, max: 90_000 }),
    fc.constant({ min: 1_700_000_000_000, max: 1_702_600_000_000 }),
    fc.constant({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    fc.constant({ min: -(2 ** 40), max: 2 ** 40 }),
  );
  // Minus zero is no number of its own.
  const double = fc.double({ noNaN: true }).map((each) => each + 0);
  const many = { minLength: 2_000, maxLength: 2_100, size: 'max' } as const;
  const numbers = fc.oneof(
    kinds.chain((range) => fc.array(fc.integer(range), many)),
    fc.array(double, many),
    fc.array(double),
    // In order but for a few.
    fc
      .tuple(fc.array(fc.integer(), many), fc.array(fc.integer(), { maxLength: 200 }))
      .map(([all, few]) => [...all.sort((one, other) => one - other), ...few]),
    fc.array(fc.integer({ min: -3, max: 40 })),
  );

  it('when they are sorted, then as comparing them does, and what was given stays as it was', () => {
    fc.assert(
      fc.property(numbers, (all) => {
        const given = Float64Array.from(all);
        expect(ascending(given)).toEqual(Float64Array.from(all).sort());
        expect(given).toEqual(Float64Array.from(all));
      }),
      { numRuns: 25 },
    );
  });

  it('when they are many and not whole, then they are compared', () => {
    const halves = Float64Array.from({ length: 2_500 }, (_, index) => 2_500.5 - index);
    expect([...ascending(halves)]).toEqual(Array.from({ length: 2_500 }, (_, index) => index + 1.5));
  });

  it('when they are all the same, or span 32 bits to the last, then they are sorted as well', () => {
    const same = new Float64Array(2_500).fill(7);
    expect(ascending(same)).toEqual(same);
    for (const most of [2 ** 32 - 1, 2 ** 32]) {
      const wide = Float64Array.from({ length: 2_500 }, (_, index) => (index % 2 === 0 ? most : index));
      expect(ascending(wide)).toEqual(wide.slice().sort());
    }
  });

  it('when they seem to be whole numbers apart and are not, then none is changed', () => {
    const near = [1.5114139149373818, -0.48858608506261847];
    for (const times of [3, 1_000]) {
      const given = Float64Array.from(Array.from({ length: times }, () => near).flat());
      expect(ascending(given)).toEqual(given.slice().sort());
      const far = Float64Array.from([...given, 100_000]);
      expect(ascending(far)).toEqual(far.slice().sort());
    }
  });
});
