import type { Reason } from './reason.js';
import type { BatchTally } from './redrive.js';

type Counts = BatchTally['unverified'];

/** All runs of a batch, under way or ended. */
export function runsOf({ open, verified, unverified }: BatchTally): number {
  return open + verified + sum(unverified);
}

export function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** Counts by reason, added; with `sign` -1 the second is taken from the first. Reasons that come to 0 are left out. */
export function combine(left: Counts, right: Counts, sign: 1 | -1 = 1): Counts {
  const combined: Partial<Record<Reason, number>> = {};
  for (const reason of new Set([...reasonsIn(left), ...reasonsIn(right)])) {
    const count = (left[reason] ?? 0) + sign * (right[reason] ?? 0);
    if (count !== 0) combined[reason] = count;
  }
  return combined;
}

function reasonsIn(counts: Counts): Reason[] {
  return Object.keys(counts) as Reason[];
}
