import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FailedCall, nextProbe, nextRetry, type SuspendedCall } from '../../src/domain/backoff.js';

const policy = { maximumCalls: 3, backoffTotalMs: 8_000 };
const call = (over: Partial<FailedCall>): FailedCall => ({
  failedCalls: 1,
  retryAfterMs: null,
  random: 1,
  leftMs: 60_000,
  estimateMs: 2_000,
  ...over,
});
const delay = (over: Partial<FailedCall>) => {
  const retry = nextRetry(policy, call(over));
  if (retry.kind !== 'retry') throw new Error(`gave up: ${retry.because}`);
  return retry.delayMs;
};

describe('the backoff between failed calls', () => {
  test('is drawn from zero up to a bound that doubles', () => {
    expect([1, 2].map((failedCalls) => delay({ failedCalls }))).toEqual([2_000, 4_000]);
    expect(delay({ random: 0.5 })).toBe(1_000);
  });

  test('is never less than a millisecond', () => {
    expect(delay({ random: 0 })).toBe(1);
    expect(delay({ retryAfterMs: 0 })).toBe(1);
    expect(delay({ retryAfterMs: -5 })).toBe(1);
  });

  test('is what the provider asks for, when it asks', () => {
    expect(delay({ retryAfterMs: 1_000 })).toBe(1_000);
    expect(delay({ retryAfterMs: 20_000.2 })).toBe(20_001);
  });

  test('is one millisecond when the policy allows no more', () => {
    expect(nextRetry({ maximumCalls: 9, backoffTotalMs: 0 }, call({}))).toEqual({
      kind: 'retry',
      delayMs: 1,
    });
  });

  test('ends with the failed calls used up', () => {
    expect(nextRetry(policy, call({ failedCalls: 3 }))).toEqual({
      kind: 'give_up',
      because: 'calls_used_up',
    });
    expect(nextRetry({ ...policy, maximumCalls: 1 }, call({})).kind).toBe('give_up');
  });

  test('ends at once when the retry would cross the deadline, its call included', () => {
    expect(delay({ leftMs: 4_000 })).toBe(2_000);
    expect(nextRetry(policy, call({ leftMs: 3_999 }))).toEqual({ kind: 'give_up', because: 'deadline' });
    expect(nextRetry(policy, call({ retryAfterMs: 3_600_000 }))).toEqual({
      kind: 'give_up',
      because: 'deadline',
    });
  });

  test('sums to no more than the policy allows, whatever is drawn', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 40, max: 1e6 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (maximumCalls, backoffTotalMs, randoms) => {
          let sum = 0;
          for (let failedCalls = 1; ; failedCalls += 1) {
            const random = randoms.next().value;
            const retry = nextRetry(
              { maximumCalls, backoffTotalMs },
              call({ failedCalls, random, leftMs: 1e9 }),
            );
            if (retry.kind === 'give_up') {
              expect(failedCalls).toBe(maximumCalls);
              break;
            }
            expect(retry.delayMs).toBeGreaterThanOrEqual(1);
            sum += retry.delayMs;
          }
          expect(sum).toBeLessThanOrEqual(backoffTotalMs);
        },
      ),
    );
  });
});

describe('the pause before a call that the breaker held back', () => {
  const held = (over: Partial<SuspendedCall>): SuspendedCall => ({
    probeInMs: 5_000,
    startsLeft: 7,
    random: 0,
    leftMs: 60_000,
    estimateMs: 2_000,
    ...over,
  });

  test('ends when the next call is let through, or a share of the backoff later', () => {
    expect(nextProbe(policy, held({}))).toEqual({ kind: 'retry', delayMs: 5_000 });
    expect(nextProbe(policy, held({ random: 0.5 }))).toEqual({ kind: 'retry', delayMs: 6_333 });
    // A probe is under way: it is given time to come back.
    expect(nextProbe(policy, held({ probeInMs: -3 }))).toEqual({ kind: 'retry', delayMs: 2_667 });
  });

  test('is not sat out when the call after it would cross the deadline', () => {
    expect(nextProbe(policy, held({ leftMs: 7_000 })).kind).toBe('retry');
    expect(nextProbe(policy, held({ leftMs: 6_999 }))).toEqual({ kind: 'give_up', because: 'deadline' });
  });

  test('leaves a start for every call that the policy allows', () => {
    expect(nextProbe(policy, held({ startsLeft: 3 })).kind).toBe('retry');
    expect(nextProbe(policy, held({ startsLeft: 2 }))).toEqual({
      kind: 'give_up',
      because: 'starts_used_up',
    });
    expect(nextProbe({ ...policy, maximumCalls: 20 }, held({ startsLeft: 4 })).kind).toBe('retry');
    expect(nextProbe(policy, held({ startsLeft: 0 })).kind).toBe('give_up');
  });

  test('adds up to more time than failed calls would take before they are used up', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 1e6 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (maximumCalls, backoffTotalMs, randoms) => {
          const bounds = { maximumCalls, backoffTotalMs };
          let waitedMs = 0;
          for (let startsLeft = 7; ; startsLeft -= 1) {
            const random = randoms.next().value;
            const next = nextProbe(bounds, held({ probeInMs: 0, random, startsLeft, leftMs: 1e9 }));
            if (next.kind === 'give_up') break;
            waitedMs += next.delayMs;
          }
          expect(waitedMs).toBeGreaterThanOrEqual(backoffTotalMs);
        },
      ),
    );
  });
});
