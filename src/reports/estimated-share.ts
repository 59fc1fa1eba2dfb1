import { type Interval, wilsonInterval } from '../domain/wilson-interval.js';

/** A share with its interval at 95 %. Null: there is nothing it could be a share of. */
export interface EstimatedShare {
  readonly share: number | null;
  readonly interval: Interval;
}

export function shareOf(part: number, whole: number): EstimatedShare {
  return { share: whole === 0 ? null : part / whole, interval: wilsonInterval(part, whole) };
}
