import { type Plan, plan } from '../planner/plan.js';
import { planFault } from '../planner/plan-fault.js';
import type { PlanInput, PlanLimits, Slots } from '../planner/plan-input.js';
import type { Report } from '../reports/report.js';
import { ApplicationError } from './application-error.js';
import { onlySpec } from './reports.js';

/** The lines of a plan that nobody set otherwise. */
export const usualLimits: PlanLimits = {
  leastRescuedPerThousand: 10,
  mostP99Ms: null,
  mostSlots: null,
  mostWaitMs: 2_000,
};

/**
 * What a plan needs to know, fitted from the runs of one spec.
 * @throws ApplicationError `invalid_request` when there are none, or of several specs.
 */
export function fitPlan({ measures, reviewer }: Report, slots: Slots): PlanInput {
  const { figures, repairs } = measures;
  onlySpec({ specIds: repairs.map(({ specId }) => specId) });
  if (figures === null) {
    throw new ApplicationError(
      'invalid_request',
      'None of these runs has had a reply yet, so there is nothing to plan with.',
    );
  }
  // A lane without slots is no lane to plan with: then nobody said how many there are.
  const isThere = slots.kind === 'pool' ? slots.pool > 0 : slots.first > 0 && slots.repair > 0;
  return {
    ...figures,
    slots: isThere ? slots : null,
    repairBudgetShare: repairs[0]?.budget?.share ?? null,
    reviewedShare: reviewedShareOf(measures.tally),
    reviewsPerHour: reviewer.reviewsPerHour,
    reviewerPerHour: reviewer.perHour,
    limits: usualLimits,
  };
}

/** Of the runs that ended unverified; null when none did. */
function reviewedShareOf({ unverified, routes }: Report['measures']['tally']): number | null {
  const reviewed = routes.find(({ route }) => route === 'human_review')?.runs ?? 0;
  return unverified === 0 ? null : Math.min(1, reviewed / unverified);
}

/** The plan of a report's own figures; null when none can be made of them. */
export function planOfReport(report: Report, slots: Slots): Plan | null {
  if (report.measures.repairs.length !== 1 || report.measures.figures === null) return null;
  const input = fitPlan(report, slots);
  return planFault(input) === null ? plan(input) : null;
}
