import { type CapPlan, planCaps } from './cap-plan.js';
import { planFault } from './plan-fault.js';
import type { PlanInput } from './plan-input.js';

/** A line that a cap does not hold: `yield`, `latency`, `capacity`, `price`. */
export interface CrossedLine {
  readonly line: 'yield' | 'latency' | 'capacity' | 'price';
  readonly says: string;
}

export interface Plan {
  readonly caps: readonly CapPlan[];
  readonly recommended: number;
  /** Why the next cap is not taken, the deciding line first; empty when no higher cap is known. */
  readonly decidedBy: readonly CrossedLine[];
  /** What is wrong with the recommended cap as things stand. */
  readonly warnings: readonly string[];
  /** What figures leave out or take for granted. */
  readonly legend: readonly string[];
}

/**
 * The largest cap of which every attempt up to it is worth making and can be afforded, and what spoke against one more.
 * Throws RangeError, in one sentence naming the number, for input no plan can be made of.
 */
export function plan(input: PlanInput): Plan {
  const fault = planFault(input);
  if (fault !== null) throw new RangeError(fault);
  const caps = planCaps(input);
  const beyond = caps.slice(1).find((cap) => crossedLines(input, cap).length > 0);
  const recommended = beyond === undefined ? caps.length : beyond.cap - 1;
  return {
    caps,
    recommended,
    decidedBy: beyond === undefined ? [] : crossedLines(input, beyond),
    warnings: caps.filter(({ cap }) => cap === recommended).flatMap((cap) => warningsAbout(input, cap)),
    legend: [
      ...unknownRights(caps),
      'p99 up to the end of the last attempt: landing, which the latency report counts too, is not in it.',
      input.reviewedShare === null
        ? 'Reviewer hours if every exhausted document goes to a person.'
        : `Reviewer hours of the ${percent(input.reviewedShare)} of exhausted documents that go to a person.`,
    ],
  };
}

/** Lines this cap's last attempt crosses, in the order in which they decide. */
function crossedLines(input: PlanInput, plan: CapPlan): readonly CrossedLine[] {
  const { limits } = input;
  const { cap, rightPerThousand, p99Ms, costPerRescue, point } = plan;
  const right = rightPerThousand ?? point.rescuedPerThousand;
  const crossed: CrossedLine[] = [];
  if (right < limits.leastRescuedPerThousand || right === 0) {
    const rescued = `attempt ${cap} rescues ${point.rescuedPerThousand.toFixed(1)} per thousand`;
    const ofThem = rightPerThousand === null ? '' : `, ${right.toFixed(1)} of them right`;
    const says = `${rescued}${ofThem}; at least ${limits.leastRescuedPerThousand} are wanted`;
    crossed.push({ line: 'yield', says });
  }
  if (limits.mostP99Ms !== null && p99Ms !== null && p99Ms > limits.mostP99Ms) {
    const says = `cap ${cap} brings the p99 to ${seconds(p99Ms)}; at most ${seconds(limits.mostP99Ms)} is wanted`;
    crossed.push({ line: 'latency', says });
  }
  const needed = plan.pool.fewestSlots;
  if (limits.mostSlots !== null && needed > limits.mostSlots) {
    crossed.push({
      line: 'capacity',
      says: `cap ${cap} keeps ${needed} slots busy; there are at most ${limits.mostSlots}`,
    });
  }
  const reviewer = input.reviewerPerHour;
  const perReview = Number(reviewer?.amount) / input.reviewsPerHour;
  if (costPerRescue !== null && reviewer !== null && Number(costPerRescue.amount) > perReview) {
    const person = `a person costs ${perReview.toFixed(6)} ${reviewer.currency} for a document`;
    const says = `attempt ${cap} costs ${costPerRescue.amount} ${reviewer.currency} for a rescued document; ${person}`;
    crossed.push({ line: 'price', says });
  }
  return crossed;
}

/** Attempts whose rescues nobody checked, in one sentence; none without such. */
function unknownRights(caps: readonly CapPlan[]): readonly string[] {
  const attempts = caps.filter(({ rightPerThousand }) => rightPerThousand === null).map(({ cap }) => cap);
  if (attempts.length === 0) return [];
  return [
    `How many rescues of ${attempts.length === 1 ? 'attempt' : 'attempts'} ${attempts.join(', ')} are right is unknown (an audit tells): lines and prices take all of them for right.`,
  ];
}

/** Below this, a share of the table may be several points off: of 300 runs, half is known within 6. */
export const fewestRuns = 300;

function warningsAbout(input: PlanInput, plan: CapPlan): readonly string[] {
  const warnings: string[] = [];
  const { measuredRuns } = input;
  if (measuredRuns !== null && measuredRuns < fewestRuns) {
    const runs = measuredRuns === 1 ? '1 run was' : `${measuredRuns} runs were`;
    warnings.push(
      `Few: ${runs} measured, ${fewestRuns} or more are wanted before shares are to be relied on.`,
    );
  }
  const { mostSlots, mostWaitMs } = input.limits;
  for (const lane of [plan.pool, plan.first, plan.repair]) {
    if (lane === null || lane.given === null) continue;
    const name = lane.lane === 'pool' ? 'all slots together' : `the ${lane.lane} lane`;
    if (lane.p99WaitMs === null) {
      warnings.push(
        `Above capacity: ${name} would be busy ${lane.load.toFixed(2)} of ${lane.given}; waits grow as long as the peak lasts.`,
      );
    } else if (lane.given < lane.slots) {
      const wait = `in ${name} 1 of 100 calls waits longer than ${seconds(lane.p99WaitMs)} for a slot`;
      warnings.push(
        `Long waits: ${wait}; at most ${seconds(mostWaitMs)} is wanted, which takes ${lane.slots} instead of ${lane.given}.`,
      );
    }
  }
  const needed = plan.pool.fewestSlots;
  // A cap of 1 is recommended even where it does not fit: there is no lower one.
  if (mostSlots !== null && needed > mostSlots) {
    warnings.push(`Even a cap of ${plan.cap} keeps ${needed} slots busy; there are at most ${mostSlots}.`);
  }
  const budget = input.repairBudgetShare;
  if (budget !== null && plan.repairShare > budget) {
    const share = `${percent(plan.repairShare)} of primary calls`;
    warnings.push(
      `Expected repairs are ${share}, the repair budget is ${percent(budget)}: it would refuse repairs on ordinary days.`,
    );
  }
  return warnings;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
