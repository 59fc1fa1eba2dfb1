import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asFailure, finalFailure, retryableFailure, storePauseMs } from '../../activities/fault-failure.js';
import { shielded } from '../../activities/shielded.js';
import { StoreUnavailable } from '../../src/ports/store.js';
import { inActivity } from './in-activity.js';

describe('failures', () => {
  it('ask for a pause of at least a millisecond, since the server reads none as "no retry"', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (delayMs) => {
        const { nextRetryDelay } = retryableFailure('call_failed', delayMs);
        expect(nextRetryDelay).toBeGreaterThanOrEqual(1);
        expect(Number.isInteger(nextRetryDelay)).toBe(true);
      }),
    );
  });

  it('wait for a store for about 22 seconds over eight starts', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7].map(storePauseMs);
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
  });

  it('are passed on as they are when they are ours', () => {
    const failure = finalFailure('deadline');
    expect(asFailure(failure, 1)).toBe(failure);
    expect(asFailure(new StoreUnavailable('down'), 2)).toMatchObject({
      type: 'store_unavailable',
      nextRetryDelay: 1_000,
    });
    expect(asFailure('anything', 1)).toMatchObject({ type: 'internal_error', nonRetryable: true });
  });
});

describe('work against the store', () => {
  const failing = (error: Error) =>
    inActivity(async () => {
      return await shielded(async () => {
        throw error;
      })(undefined);
    });

  it('is tried again after an outage, quietly', async () => {
    const { result, logs } = failing(new StoreUnavailable('down'));
    await expect(result).rejects.toMatchObject({ type: 'store_unavailable', nonRetryable: false });
    expect(logs).toEqual([]);
  });

  it('is tried again after a bug, which is logged without its message', async () => {
    const { result, logs } = failing(new TypeError('cannot read Ada Muster'));
    const failure = await result.catch((error: unknown) => error);
    expect(failure).toMatchObject({ type: 'internal_error', nonRetryable: false });
    expect(String((failure as Error).stack)).not.toContain('Ada');
    expect(logs.join()).toContain('TypeError');
    expect(logs.join()).not.toContain('Ada');
  });

  it('that fails for good says so', async () => {
    await expect(failing(finalFailure('internal_error')).result).rejects.toMatchObject({
      nonRetryable: true,
    });
  });
});
