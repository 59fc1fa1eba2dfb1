import type { NextClaim, ReviewFilter } from '../ports/review-store.js';
import { type Catalogue, labelOf } from '../spec/catalogue.js';

/** Only what this server can show with its rules: others wait for a server that has their spec. */
export function knownTo({ catalogue }: { readonly catalogue: Catalogue }): ReviewFilter {
  return { labels: catalogue.list().map(labelOf) };
}

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
