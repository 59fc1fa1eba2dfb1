import { vi } from 'vitest';

/**
 * Tries an assertion again until it holds, for what follows an event by itself: a child workflow that starts, a list
 * that lags. Unlike `expect.poll` it knows no test, so that concurrent tests can use it.
 */
export function eventually<T>(assertion: () => Promise<T>): Promise<T> {
  return vi.waitFor(assertion, { timeout: 20_000, interval: 100 });
}
