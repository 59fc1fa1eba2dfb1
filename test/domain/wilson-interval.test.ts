import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilsonInterval } from '../../src/domain/wilson-interval.js';

describe('given counts of a published table', () => {
  // Newcombe 1998, table I, method 3 (score without continuity correction).
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('when %i of %i succeeded, then the bounds are %f and %f', (successes, trials, low, high) => {
    const interval = wilsonInterval(successes, trials);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });
});

describe('given any counts', () => {
  const counts = fc
    .nat({ max: 5_000 })
    .chain((trials) => fc.tuple(fc.nat({ max: trials }), fc.constant(trials)));

  it('when bounds are taken, then they lie in 0 to 1 around the share and mirror those of the failures', () => {
    fc.assert(
      fc.property(counts, ([successes, trials]) => {
        const { low, high } = wilsonInterval(successes, trials);
        const mirrored = wilsonInterval(trials - successes, trials);
        const share = trials === 0 ? 0.5 : successes / trials;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(share);
        expect(high).toBeGreaterThanOrEqual(share);
        expect(low).toBeLessThan(high);
        expect(mirrored.low).toBeCloseTo(1 - high, 12);
      }),
    );
  });

  it('when there are no trials, then nothing is known', () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
  });
});
