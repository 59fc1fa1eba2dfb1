/** Why an unverified run stopped. Stable words: they are stored, filtered on and shown. */
export const reasons = [
  'cancelled',
  'attempt_cap',
  'token_cap',
  'deadline',
  'repair_budget',
  'verifier_fault',
  'refusal',
  'token_ceiling',
  'contradiction',
  'no_progress',
  'oscillation',
  'not_repairable',
  'empty_reply',
  'no_capacity',
  'provider_unavailable',
  'provider_rejected',
  'spec_unavailable',
  'unreadable_document',
  'store_unavailable',
  'internal_error',
  'batch_budget',
] as const;

export type Reason = (typeof reasons)[number];

const systemic: ReadonlySet<Reason> = new Set<Reason>([
  'verifier_fault',
  'spec_unavailable',
  'provider_unavailable',
  'provider_rejected',
  'store_unavailable',
  'repair_budget',
  'no_capacity',
  'batch_budget',
  'internal_error',
]);

/**
 * True when the reason says nothing about the document, so that no person should be asked to look at it.
 * A deadline that passed before any reply was read is such a reason too.
 */
export function isSystemic(reason: Reason, repliesRead: number): boolean {
  return systemic.has(reason) || (reason === 'deadline' && repliesRead === 0);
}
