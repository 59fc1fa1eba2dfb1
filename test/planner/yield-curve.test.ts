import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cumulativePass, yieldCurve } from '../../src/planner/yield-curve.js';

const curve = (...cumulative: number[]) =>
  yieldCurve(cumulative.map((share) => ({ cumulativePass: share, reached: null }))).map(({ point }) => point);

describe('given any conditional rates', () => {
  it('when they are accumulated and taken apart again, then they are the same rates', () => {
    const rates = fc.array(fc.double({ min: 0, max: 0.9, noNaN: true }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(rates, (conditional) => {
        const points = curve(...cumulativePass(conditional));
        for (const [index, rate] of conditional.entries()) {
          expect(points[index]?.conditional).toBeCloseTo(rate, 6);
        }
      }),
    );
  });

  it('when the rate stays the same, then fewer are rescued with every attempt all the same', () => {
    const rescued = curve(...cumulativePass([0.5, 0.5, 0.5, 0.5])).map(
      ({ rescuedPerThousand }) => rescuedPerThousand,
    );
    expect(rescued).toEqual([0, 250, 125, 62.5]);
  });
});

describe('given documents that stop early', () => {
  it('when fewer reach an attempt than are left, then its rate is about those that reach it', () => {
    const [, second] = yieldCurve([
      { cumulativePass: 0.8, reached: null },
      { cumulativePass: 0.85, reached: 0.1 },
    ]);
    expect(second?.point).toMatchObject({ reached: 0.1, cumulative: 0.85 });
    expect(second?.point.conditional).toBeCloseTo(0.5, 12);
  });

  it('when nobody reaches it, then its rate is 0 and not undefined', () => {
    expect(curve(1, 1)[1]).toMatchObject({ reached: 0, conditional: 0, rescuedPerThousand: 0 });
  });
});
