import { type Reason, reasonSays, reasons } from '../../domain/reason.js';
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
      view(`exhausted/${reason}`, `Ended unverified: ${reasonSays[reason]}.`, byReason(reason)),
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
