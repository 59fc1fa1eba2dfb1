import type { AttemptFigures, PlanInput } from './plan-input.js';

const unpriced = { reached: null, p99Ms: null, wrongShare: 0, tokens: 0, cost: null };

/** Mean repair of a claim: what a mean of 3.9 s at cap 3 leaves beside a first attempt of 2.6 s for 0.319 repairs. */
const claimRepairMs = 1_300 / 0.319;

/** A hard claim's attempt. Only documents that failed three times make a fourth. */
const hardClaimMs = 5_200;

const claim = (
  figures: Pick<AttemptFigures, 'cumulativePass' | 'meanMs' | 'p99Ms'> & Partial<AttemptFigures>,
) => ({
  ...unpriced,
  // Assumed: just below the 7,500 a document that 30 million a night allow, over 1.319 attempts.
  tokens: 5_600,
  ...figures,
});

/** Insurance claims: a yield curve of five attempts, 4,000 documents a day in bursts of 3.1 a second. */
const claims: PlanInput = {
  measuredRuns: null,
  peakPerSecond: 3.1,
  documentsPerDay: 4_000,
  attempts: [
    claim({ cumulativePass: 0.78, meanMs: 2_600, p99Ms: 6_100 }),
    claim({ cumulativePass: 0.901, meanMs: claimRepairMs, p99Ms: null }),
    claim({ cumulativePass: 0.938, meanMs: claimRepairMs, p99Ms: 12_000 }),
    // Half of what the fourth and fifth attempts rescue is wrong; they add 13.1 s and 18.4 s to the p99.
    claim({ cumulativePass: 0.953, meanMs: hardClaimMs, p99Ms: 19_200, wrongShare: 0.5 }),
    claim({ cumulativePass: 0.96, meanMs: hardClaimMs, p99Ms: 24_500, wrongShare: 0.5 }),
  ],
  slots: { kind: 'lanes', first: 14, repair: 4 },
  repairBudgetShare: 0.4,
  reviewedShare: null,
  reviewsPerHour: 25,
  reviewerPerHour: null,
  limits: { leastRescuedPerThousand: 10, mostP99Ms: 15_000, mostSlots: null, mostWaitMs: 2_000 },
};

/** An ordinary document's first attempt passes in 1.2 s; a document that fails runs to the ceiling, 3.1 s each time. */
const ceilingMs = 3_100;
const exhausting = { ...unpriced, cumulativePass: 0.95, meanMs: ceilingMs };

/** Month-end invoices: 81 % pass at once, 14 % on the second attempt, 5 % never; 70 a second onto 160 slots. */
const monthEnd: PlanInput = {
  measuredRuns: null,
  peakPerSecond: 70,
  // Assumed: four hours at the peak.
  documentsPerDay: 1_000_000,
  attempts: [
    { ...unpriced, cumulativePass: 0.81, meanMs: 0.81 * 1_200 + 0.19 * ceilingMs },
    exhausting,
    exhausting,
    exhausting,
    exhausting,
    exhausting,
  ],
  slots: { kind: 'pool', pool: 160 },
  repairBudgetShare: 0.1,
  reviewedShare: null,
  reviewsPerHour: 25,
  reviewerPerHour: null,
  limits: { leastRescuedPerThousand: 10, mostP99Ms: null, mostSlots: 160, mostWaitMs: 2_000 },
};

/** Ready-made numbers to plan with, and to see what a plan says. */
export const planScenarios: Readonly<Record<'claims' | 'month-end', PlanInput>> = {
  claims,
  'month-end': monthEnd,
};
