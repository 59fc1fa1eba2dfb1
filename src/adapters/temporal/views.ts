import { type Reason, reasons } from '../../domain/reason.js';
import type { EngineView } from '../../ports/engine.js';

/** Ready-made lists for the Temporal UI. `now` (epoch ms) stands in the first one's query. */
export function engineViews(now: number, urlOf: (query: string) => string | null): readonly EngineView[] {
  const view = (name: string, says: string, query: string): EngineView => ({
    name,
    says,
    query,
    url: urlOf(query),
  });
  return [
    view(
      'past-deadline',
      'Running past their deadline: stuck, or landing for a long time.',
      `WorkflowType = 'extraction' AND ExecutionStatus = 'Running' AND EndstopDeadline < '${new Date(now).toISOString()}'`,
    ),
    view(
      'exhausted',
      'Every run that ended unverified.',
      `WorkflowType = 'extraction' AND EndstopOutcome = 'unverified'`,
    ),
    ...reasons.map((reason) =>
      view(`exhausted/${reason}`, `Ended unverified: ${says[reason]}.`, byReason(reason)),
    ),
    view(
      'waiting-for-review',
      'Reviews that wait for a person.',
      `WorkflowType = 'humanReview' AND ExecutionStatus = 'Running'`,
    ),
    view(
      'task-failures',
      'Workflows whose code fails again and again (needs server 1.30 or newer).',
      `TemporalReportedProblems IN ('category=WorkflowTaskFailed', 'category=WorkflowTaskTimedOut')`,
    ),
  ];
}

function byReason(reason: Reason): string {
  return `WorkflowType = 'extraction' AND EndstopReason = '${reason}'`;
}

const says: Record<Reason, string> = {
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
  batch_budget: "its batch's money was gone",
};
