import type { JsonObject } from './json.js';

/** An error as the Messages API words it. `details` carries a machine-readable code where the real one sends one. */
export interface ApiFault {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly details?: JsonObject;
}

const fault = (status: number, type: string, message: string): ApiFault => ({ status, type, message });

export const invalidRequest = (message: string): ApiFault => fault(400, 'invalid_request_error', message);
export const unauthenticated = (message: string): ApiFault => fault(401, 'authentication_error', message);
export const notFound = (message: string): ApiFault => fault(404, 'not_found_error', message);
export const tooLarge = (message: string): ApiFault => fault(413, 'request_too_large', message);
export const rateLimited = (message: string): ApiFault => fault(429, 'rate_limit_error', message);
export const internalError = (): ApiFault => fault(500, 'api_error', 'Internal server error');
export const overloaded = (): ApiFault => fault(529, 'overloaded_error', 'Overloaded');

/** The one 429 that waiting does not cure. */
export const spendLimitReached = (): ApiFault => ({
  ...rateLimited('This organization has reached its enforced spend limit.'),
  details: { error_code: 'enforced_spend_limit_reached' },
});

export function faultBody(found: ApiFault, requestId: string): JsonObject {
  return {
    type: 'error',
    error: { type: found.type, message: found.message, ...(found.details ? { details: found.details } : {}) },
    request_id: requestId,
  };
}
