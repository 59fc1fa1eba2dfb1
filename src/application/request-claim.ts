import type { RequestAnswer, RequestClaim } from '../ports/idempotency-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';

/** How long the answer to a request is kept. */
export const answersKeptMs = 24 * 3_600_000;

/**
 * Claims a request; null: carry it out, else what it led to before.
 * Throws ApplicationError `request_in_flight`, `request_differs`.
 */
export async function claimRequest(
  { store }: Pick<Application, 'store'>,
  claim: RequestClaim,
): Promise<RequestAnswer | null> {
  const claimed = await store.idempotency.claim(claim);
  switch (claimed.kind) {
    case 'answered':
      return claimed.answer;
    case 'busy':
      throw new ApplicationError(
        'request_in_flight',
        'The same request is under way; ask again in a moment.',
      );
    case 'differs':
      throw requestDiffers();
    case 'claimed':
      return null;
  }
}

/** The key names another request. */
export function requestDiffers(): ApplicationError {
  return new ApplicationError(
    'request_differs',
    'This Idempotency-Key was used for another request within 24 hours: use a new one for this.',
  );
}
