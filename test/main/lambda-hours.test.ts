import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, it, vi } from 'vitest';
import type { AttemptInput, AttemptOutput } from '../../activities/contract.js';
import { ConfigError } from '../../src/config.js';
import { hoursOf } from '../../src/main/lambda-hours.js';

const longestAttemptMs = 10_000;
const startedAt = 1_000_000;
const hours = (totalMs: number, now = () => startedAt) =>
  hoursOf({ endsAt: startedAt + totalMs, longestAttemptMs, now });

/** The attempt as it is run `ms` after the start of an invocation of `totalMs`. */
async function attemptAt(ms: number, totalMs: number, estimateMs: number): Promise<unknown> {
  let now = startedAt;
  const { around } = hours(totalMs, () => now);
  now += ms;
  const run = vi.fn(async () => 'made' as unknown as AttemptOutput);
  const guarded = around?.({ attempt: run });
  const input = { decision: { estimateMs } } as unknown as AttemptInput;
  return await guarded?.attempt(input).catch((error: unknown) => {
    expect(run).not.toHaveBeenCalled();
    return error;
  });
}

describe('given an invocation', () => {
  it('when it is too short for one attempt and a while of service, then no worker starts, and what it needs is said', () => {
    expect(() => hours(14_999)).toThrow(
      new ConfigError(
        'This function has 14 s left, and its specs need 15 s: give it a timeout of at least that, better of 900 s.',
      ),
    );
    expect(hours(15_000).shutdownGraceMs).toBe(longestAttemptMs);
  });

  it('when an attempt fits into what is left, then it is made', async () => {
    expect(await attemptAt(0, 30_000, 5_000)).toBe('made');
    expect(await attemptAt(23_000, 30_000, 5_000)).toBe('made');
  });

  it('when it does not fit any more, then it is given back for another invocation, without a call', async () => {
    const failure = await attemptAt(23_001, 30_000, 5_000);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: 'worker_leaving', nonRetryable: false, nextRetryDelay: 1 });
  });

  it('when it fits into no invocation, then it is not given round for ever', async () => {
    expect(await attemptAt(0, 30_000, 29_000)).toMatchObject({ type: 'internal_error', nonRetryable: true });
  });

  describe('a worker that polls', () => {
    /** When it leaves, in ms after its start; `inFlight` says how much it has in hand. */
    function leavesAfter(totalMs: number, inFlight: (ms: number) => number): number {
      vi.useFakeTimers({ now: startedAt });
      try {
        let left: number | null = null;
        const end = hours(totalMs, Date.now).begun(
          () => {
            left = Date.now() - startedAt;
          },
          () => inFlight(Date.now() - startedAt),
        );
        vi.advanceTimersByTime(totalMs);
        end();
        if (left === null) throw new Error('it did not leave');
        return left;
      } finally {
        vi.useRealTimers();
      }
    }

    it('leaves when it had nothing in hand for five seconds', () => {
      expect(leavesAfter(900_000, () => 0)).toBe(5_000);
      expect(leavesAfter(900_000, (ms) => (ms < 20_000 ? 1 : 0))).toBeGreaterThanOrEqual(24_500);
      expect(leavesAfter(900_000, (ms) => (ms < 20_000 ? 1 : 0))).toBeLessThanOrEqual(25_000);
    });

    it('leaves while an attempt that it takes last can still end', () => {
      expect(leavesAfter(60_000, () => 3)).toBe(48_000);
    });
  });
});
