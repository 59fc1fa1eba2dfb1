import { expect, it } from 'vitest';
import { addMended, type Mended, nothingMended } from '../../src/domain/reconciliation.js';

it('adds what was mended, count by count', () => {
  const some: Mended = {
    ...{ closedRuns: 1, restartedRuns: 2, landedRuns: 3, restartedReviews: 4, endedReviews: 5 },
    ...{ parkedLetters: 6, recoveredLetters: 7, restartedBatches: 8, failed: 9 },
  };
  expect(addMended(some, nothingMended)).toEqual(some);
  expect(Object.values(addMended(some, some))).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18]);
});

it('takes what a worker of an older version does not count as nothing', () => {
  expect(addMended({ ...nothingMended, restartedBatches: 2 }, { closedRuns: 1 })).toEqual({
    ...nothingMended,
    ...{ closedRuns: 1, restartedBatches: 2 },
  });
});
