import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frozenPriorMs, ofAttempt } from '../../src/domain/estimate.js';

describe('the frozen prior', () => {
  test('is the declared value when nothing was measured', () => {
    expect(frozenPriorMs(4_000, null)).toBe(4_000);
  });

  test.each([
    [1_000, 2_000],
    [2_000, 2_000],
    [5_000.4, 5_000],
    [8_000, 8_000],
    [90_000, 8_000],
  ])('a p90 of %d under a declared 4000 is held at %d', (measured, expected) => {
    expect(frozenPriorMs(4_000, measured)).toBe(expected);
  });

  test('never leaves half to twice the declared value', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 1e9 }),
        fc.double({ min: 0, max: 1e12, noNaN: true }),
        (declared, p90) => {
          const prior = frozenPriorMs(declared, p90);
          expect(prior).toBeGreaterThanOrEqual(declared / 2);
          expect(prior).toBeLessThanOrEqual(declared * 2);
        },
      ),
    );
  });
});

describe('a per-attempt list', () => {
  test('repeats its last entry', () => {
    expect([1, 2, 3, 9].map((attempt) => ofAttempt(['a', 'b'], attempt))).toEqual(['a', 'b', 'b', 'b']);
  });

  test('must not be empty', () => {
    expect(() => ofAttempt([], 1)).toThrow(RangeError);
  });
});
