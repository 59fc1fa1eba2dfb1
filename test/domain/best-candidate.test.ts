import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bestCandidate, type CandidateRow } from '../../src/domain/best-candidate.js';
import { type FailureClass, failureClasses } from '../../src/domain/failure-class.js';

const row = (
  attempt: number,
  failureClass: FailureClass,
  problemCount: number,
  hasCandidate = true,
): CandidateRow => ({
  attempt,
  failureClass,
  problemCount,
  hasCandidate,
});
const best = (...rows: readonly CandidateRow[]) => bestCandidate(rows)?.attempt ?? null;

describe('the best candidate', () => {
  test('is the one that came furthest: its rules were checked', () => {
    expect(best(row(1, 'constraint', 9), row(2, 'schema', 1))).toBe(1);
    expect(best(row(1, 'schema', 1), row(2, 'constraint', 9))).toBe(2);
  });

  test('of equal stage is the one with fewest problems', () => {
    expect(best(row(1, 'constraint', 2), row(2, 'constraint', 3), row(3, 'constraint', 4))).toBe(1);
    expect(best(row(1, 'schema', 3), row(2, 'schema', 2))).toBe(2);
  });

  test('of equal problems is the latest', () => {
    expect(best(row(1, 'schema', 2), row(2, 'schema', 2))).toBe(2);
    expect(best(row(2, 'schema', 2), row(1, 'schema', 2))).toBe(2);
  });

  test('whose rules threw stands between: it met the schema, but nobody counted its problems', () => {
    expect(best(row(1, 'schema', 0), row(2, 'verifier_fault', 0), row(3, 'schema', 0))).toBe(2);
    expect(best(row(1, 'constraint', 5), row(2, 'verifier_fault', 0))).toBe(1);
  });

  test.each<FailureClass>(['truncated', 'refusal', 'parse', 'empty'])(
    'is never from a %s reply',
    (failureClass) => {
      expect(best(row(1, failureClass, 0))).toBeNull();
      expect(best(row(1, 'schema', 9), row(2, failureClass, 0))).toBe(1);
    },
  );

  test('is none when none was read or kept', () => {
    expect(best()).toBeNull();
    expect(best(row(1, 'schema', 1, false))).toBeNull();
  });

  test('does not depend on the order of the rows', () => {
    const rows = fc.uniqueArray(
      fc.record({
        attempt: fc.integer({ min: 1, max: 6 }),
        failureClass: fc.constantFrom(...failureClasses),
        problemCount: fc.nat(2),
        hasCandidate: fc.boolean(),
      }),
      { selector: (candidate) => candidate.attempt },
    );
    fc.assert(
      fc.property(rows, (all) => {
        expect(bestCandidate([...all].reverse())).toEqual(bestCandidate(all));
      }),
    );
  });
});
