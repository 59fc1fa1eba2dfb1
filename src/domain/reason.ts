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

/** Each reason in words, completing "It stopped because ..." or standing alone in a list. */
export const reasonSays: Readonly<Record<Reason, string>> = {
  cancelled: 'somebody cancelled it',
  attempt_cap: 'all attempts were used up',
  token_cap: 'its token or money cap was spent',
  deadline: 'its deadline passed, or the next attempt would not have fitted',
  repair_budget: 'the spec had no repair permits left',
  verifier_fault: 'a rule threw an error',
  refusal: 'the model refused',
  token_ceiling: 'the reply did not fit the highest token ceiling',
  contradiction: 'two rules cannot both hold for it',
  no_progress: 'the model gave the same answer again',
  oscillation: 'the model went back to an earlier answer',
  not_repairable: 'only problems that no repair can mend',
  empty_reply: 'the model answered with nothing, twice',
  no_capacity: 'the repair lane had no free slot',
  provider_unavailable: 'the provider could not be reached',
  provider_rejected: 'the provider rejects the request for good',
  spec_unavailable: 'no worker has this spec version',
  unreadable_document: 'the document cannot be read',
  store_unavailable: 'the store could not be reached',
  internal_error: 'a bug, or a worker lost again and again',
  batch_budget: 'the token budget of its batch was gone',
};

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
