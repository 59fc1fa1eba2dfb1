import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AttemptReport } from '../../src/domain/attempt-report.js';
import { bestCandidate } from '../../src/domain/best-candidate.js';
import { type FailureClass, failureClasses } from '../../src/domain/failure-class.js';

interface Row {
  readonly report: AttemptReport;
}

const row = (
  attempt: number,
  failureClass: FailureClass,
  problemCount: number,
  hasCandidate = true,
): Row => ({
  report: reportOf(attempt, {
    kind: 'rejected',
    failureClass,
    problems: Array.from({ length: problemCount }, (_, index) => ({ rule: `rule-${index}`, pointer: '' })),
    candidateHash: hasCandidate ? `candidate-${attempt}` : null,
    replyHash: null,
    repairable: true,
    contradiction: null,
    truncation: null,
  }),
});
const reportOf = (attempt: number, result: AttemptReport['result']): AttemptReport => ({
  attempt,
  lane: 'first',
  model: 'model',
  maxTokens: 1,
  promptVersion: '1',
  requestId: null,
  result,
  normalisations: [],
  usage: 'unknown',
  tokens: 0,
  cost: { amount: '0', currency: 'USD' },
  durationMs: 0,
  calls: 1,
});
const best = (...rows: readonly Row[]) => bestCandidate(rows)?.report.attempt ?? null;

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

  test('is never the accepted one: that is a record', () => {
    expect(best({ report: reportOf(1, { kind: 'accepted', candidateHash: 'candidate' }) })).toBeNull();
  });

  test('does not depend on the order of the rows', () => {
    const rows = fc
      .uniqueArray(
        fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom(...failureClasses), fc.nat(2), fc.boolean()),
        { selector: ([attempt]) => attempt },
      )
      .map((all) => all.map((parts) => row(...parts)));
    fc.assert(
      fc.property(rows, (all) => {
        expect(bestCandidate([...all].reverse())).toEqual(bestCandidate(all));
      }),
    );
  });
});
