import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { survivalQuantiles } from '../../src/planner/survival.js';

const ascending = (values: number[]) => values.sort((a, b) => a - b);
const durations = (most: number) =>
  fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: most }).map(ascending);

describe('given nothing that is open', () => {
  it('when quantiles are read, then they are those of the sorted list', () => {
    fc.assert(
      fc.property(
        durations(60).filter((list) => list.length > 0),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (ended, share) => {
          const place = Math.ceil(ended.length * share - 1e-9) - 1;
          expect(survivalQuantiles(ended, [], [share])).toEqual([ended[place]]);
        },
      ),
    );
  });
});

describe('given the textbook example of six ended and three open', () => {
  it('when it is worked out by hand, then the quantiles are the same', () => {
    // At 6: 3 of 9 end, 0.667 survive. Open at 6 stays at risk then, open at 7 until then.
    // At 10: 1 of 4 ends, 0.5 survive. At 12: 1 of 3, 0.333. At 20: the last, 0 (one is open at 15).
    const ended = [6, 6, 6, 10, 12, 20];
    const open = [6, 7, 15];
    expect(survivalQuantiles(ended, open, [0.3, 0.5, 0.52, 0.66, 0.7])).toEqual([6, 10, 12, 12, 20]);
  });
});

describe('given documents that are still open', () => {
  it('when they have lasted longer than all others, then the tail is not known, instead of looking short', () => {
    const ended = Array.from({ length: 95 }, (_, index) => index + 1);
    const hung = [1_000, 1_000, 1_000, 1_000, 1_000];
    expect(survivalQuantiles(ended, hung, [0.5, 0.95, 0.99])).toEqual([50, 95, null]);
    // Left out, they would make the p99 the largest of those that ended.
    expect(survivalQuantiles(ended, [], [0.5, 0.99])).toEqual([48, 95]);
  });

  it('when more of them are added, then no quantile becomes smaller', () => {
    fc.assert(
      fc.property(durations(40), durations(10), durations(10), (ended, open, more) => {
        const shares = [0.25, 0.5, 0.9];
        const before = survivalQuantiles(ended, open, shares);
        const after = survivalQuantiles(
          ended,
          ascending([...open, ...more.map((value) => value + 50)]),
          shares,
        );
        for (const [index, value] of before.entries()) {
          expect(after[index] ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(
            value ?? Number.POSITIVE_INFINITY,
          );
        }
      }),
    );
  });

  it('when nothing has ended, then nothing is known', () => {
    expect(survivalQuantiles([], [5], [0.5])).toEqual([null]);
  });
});
