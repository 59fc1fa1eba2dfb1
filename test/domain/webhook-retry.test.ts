import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryPatienceMs, type FailedDelivery, nextDeliveryAt } from '../../src/domain/webhook-retry.js';

const failed = (over: Partial<FailedDelivery> = {}): FailedDelivery => ({
  failures: 1,
  firstTryAt: 0,
  now: 0,
  retryAfterMs: null,
  random: 1,
  ...over,
});

/** Instants of all tries of a delivery that always fails. */
function tries(random: number): readonly number[] {
  const at = [0];
  for (;;) {
    const now = at[at.length - 1] ?? 0;
    const next = nextDeliveryAt(failed({ failures: at.length, now, random }));
    if (next === null) return at;
    at.push(next);
  }
}

describe('a delivery that failed', () => {
  it('is tried again after a delay that doubles up to two hours, half of it drawn by chance', () => {
    const delays = (random: number) =>
      [1, 2, 3, 4, 11, 12, 30].map((failures) => nextDeliveryAt(failed({ failures, random })));
    expect(delays(1)).toEqual([5_000, 10_000, 20_000, 40_000, 5_120_000, 7_200_000, 7_200_000]);
    expect(delays(0)).toEqual([2_500, 5_000, 10_000, 20_000, 2_560_000, 3_600_000, 3_600_000]);
  });

  it('waits as long as the receiver asks, but not longer than two hours', () => {
    expect(nextDeliveryAt(failed({ retryAfterMs: 60_000 }))).toBe(60_000);
    expect(nextDeliveryAt(failed({ retryAfterMs: 1_000 }))).toBe(5_000);
    expect(nextDeliveryAt(failed({ retryAfterMs: 86_400_000 }))).toBe(7_200_000);
  });

  it('is tried for a day, the last time when it is over, and then given up', () => {
    expect(tries(1)).toHaveLength(23);
    expect(tries(0).length).toBeLessThan(40);
    expect(tries(0.5).at(-1)).toBe(deliveryPatienceMs);
    expect(nextDeliveryAt(failed({ now: deliveryPatienceMs - 1 }))).toBe(deliveryPatienceMs);
    expect(nextDeliveryAt(failed({ now: deliveryPatienceMs }))).toBeNull();
  });

  it('is given up by then, whatever is drawn and whatever the receiver asks', () => {
    const retryAfter = fc.option(fc.nat(1_000_000_000));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), retryAfter)), (draws) => {
        let now = 0;
        for (const [index, [random, retryAfterMs]] of draws.entries()) {
          const next = nextDeliveryAt(failed({ failures: index + 1, now, random, retryAfterMs }));
          if (next === null) return expect(now).toBe(deliveryPatienceMs);
          expect(next).toBeGreaterThan(now);
          expect(next).toBeLessThanOrEqual(deliveryPatienceMs);
          now = next;
        }
      }),
    );
  });
});
