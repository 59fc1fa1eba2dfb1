import type { ExtractionSummary } from '../../application/views/extraction-view.js';
import type { Reason } from '../../domain/reason.js';

/** What stopped a run, as the end of a headline. */
const stopped: Readonly<Record<Reason, string>> = {
  cancelled: 'somebody cancelled it',
  attempt_cap: 'every attempt was used',
  token_cap: 'its tokens or its money were spent',
  deadline: 'the deadline came first',
  repair_budget: 'no repair was allowed',
  verifier_fault: 'a rule failed to run',
  refusal: 'the model refused',
  token_ceiling: 'the answer does not fit',
  contradiction: 'two rules cannot both hold',
  no_progress: 'the same answer again',
  oscillation: 'back to an earlier answer',
  not_repairable: 'nothing a repair could mend',
  empty_reply: 'two empty answers',
  no_capacity: 'no slot for its repair',
  provider_unavailable: 'the provider was not there',
  provider_rejected: 'the provider rejects it',
  spec_unavailable: 'no worker has its spec',
  unreadable_document: 'the document cannot be read',
  store_unavailable: 'the store was not there',
  internal_error: 'a fault of this program',
  batch_budget: "its batch's budget was gone",
};

/** One sentence: how it ended, after how much, and why. */
export function headline({ state, outcomeKind, reason, attempts }: ExtractionSummary): string {
  const after = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  if (state === 'running') return attempts === 0 ? 'Running' : `Running, ${after} so far`;
  if (outcomeKind === 'verified')
    return attempts === 1 ? 'Verified at the first attempt' : `Verified after ${after}`;
  const why = reason === null ? '' : `: ${stopped[reason]}`;
  return attempts === 0 ? `Stopped before any reply${why}` : `Stopped after ${after}${why}`;
}
