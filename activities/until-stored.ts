import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../src/ports/store.js';
import { finalFailure } from './fault-failure.js';

/** A reply that was paid for is worth waiting for the store: about 40 s in all, from 0.25 s to 5 s apart. */
const pausesMs = [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000];

/** Runs an idempotent write until the store takes it; gives up as `store_unavailable`. */
export async function untilStored<T>(
  write: () => Promise<T>,
  pauses: readonly number[] = pausesMs,
): Promise<T> {
  for (const pauseMs of pauses) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await sleep(pauseMs);
    }
  }
  try {
    return await write();
  } catch (error) {
    throw error instanceof StoreUnavailable ? finalFailure('store_unavailable') : error;
  }
}
