/**
 * How an attempt can end without a report. Each is also the `type` of the ApplicationFailure the activity throws,
 * except `no_capacity` and `deadline`, which the workflow reads from Temporal's timeout types.
 */
export const faults = [
  'provider_unavailable',
  'provider_rejected',
  'spec_unavailable',
  'unreadable_document',
  'store_unavailable',
  'internal_error',
  'no_capacity',
  'deadline',
] as const;

export type Fault = (typeof faults)[number];
