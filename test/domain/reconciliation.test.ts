import { expect, it } from 'vitest';
import { addMended, type Mended, nothingMended } from '../../src/domain/reconciliation.js';

it('adds what was mended, count by count', () => {
  const some: Mended = {
    ...{ closedRuns: 1, restartedRuns: 2, landedRuns: 3, restartedReviews: 4, endedReviews: 5 },
    ...{ parkedLetters: 6, recoveredLetters: 7, failed: 8 },
  };
  expect(addMended(some, nothingMended)).toEqual(some);
  expect(Object.values(addMended(some, some))).toEqual([2, 4, 6, 8, 10, 12, 14, 16]);
});
