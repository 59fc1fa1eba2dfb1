/** How long a receiver may be away before a delivery is given up: a day, so that a bad deploy of theirs costs nothing. */
export const deliveryPatienceMs = 24 * 3_600_000;

const firstDelayMs = 5_000;
const longestDelayMs = 2 * 3_600_000;

/** What is known when a delivery just failed. */
export interface FailedDelivery {
  /** Failures since it was first tried, this one included; from 1. */
  readonly failures: number;
  readonly firstTryAt: number;
  readonly now: number;
  /** The receiver's Retry-After; null when it sent none. */
  readonly retryAfterMs: number | null;
  /** Evenly drawn from [0, 1]. */
  readonly random: number;
}

/**
 * When to deliver again; null when it is given up. The delay doubles from 5 s to 2 h, of which the upper half is drawn
 * by chance, so that the backlog of a receiver that comes back is spread; a longer Retry-After wins up to 2 h. The last
 * try is made when the day is over, about 22 tries after the first.
 */
export function nextDeliveryAt(failed: FailedDelivery): number | null {
  const lastAt = failed.firstTryAt + deliveryPatienceMs;
  if (failed.now >= lastAt) return null;
  const boundMs = Math.min(longestDelayMs, firstDelayMs * 2 ** (failed.failures - 1));
  const drawnMs = Math.round(boundMs * (0.5 + failed.random / 2));
  const delayMs = Math.max(drawnMs, Math.min(failed.retryAfterMs ?? 0, longestDelayMs));
  return Math.min(failed.now + delayMs, lastAt);
}
