import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callTimeLeftMs } from '../../activities/time-left.js';

describe('the time left for a call', () => {
  it('ends half a second before its activity does, so that a stall is a failed call and not a race', () => {
    const info = { scheduledTimestampMs: 1_000, scheduleToCloseTimeoutMs: 60_000 };
    expect(callTimeLeftMs(info, 1_000)).toBe(59_500);
    expect(callTimeLeftMs(info, 60_600)).toBe(-100);
  });

  it('shrinks by exactly what has passed, and no retry stretches it', () => {
    const times = fc.nat(2 ** 40);
    fc.assert(
      fc.property(
        times,
        times,
        times,
        times,
        (scheduledTimestampMs, scheduleToCloseTimeoutMs, now, passed) => {
          const info = { scheduledTimestampMs, scheduleToCloseTimeoutMs };
          expect(callTimeLeftMs(info, now) - callTimeLeftMs(info, now + passed)).toBe(passed);
        },
      ),
    );
  });
});
