import type { NextClaim } from '../ports/review-store.js';

/** Where to go with what the queue gave; `done` says what was just decided. */
export function nextReview(claim: NextClaim, done: string | null): string {
  const said = done === null ? '' : `done=${done}`;
  switch (claim.kind) {
    case 'claimed':
      return `/console/reviews/${claim.task.id}${said === '' ? '' : `?${said}`}`;
    case 'all_held':
      return `/console/reviews?told=all-held${said === '' ? '' : `&${said}`}`;
    case 'none':
      return `/console/reviews?told=none${said === '' ? '' : `&${said}`}`;
  }
}
