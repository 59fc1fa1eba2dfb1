import { describe, expect, it } from 'vitest';
import type { CapPlan } from '../../src/planner/cap-plan.js';
import { plan } from '../../src/planner/plan.js';
import type { PlanInput } from '../../src/planner/plan-input.js';
import { planScenarios } from '../../src/planner/scenarios.js';
import { offeredLoad, p99WaitMs } from '../../src/planner/waiting.js';
import { cumulativePass, yieldCurve } from '../../src/planner/yield-curve.js';
import { measured } from '../../src/reports/measure.js';
import { RecoveryMeasure } from '../../src/reports/recovery-report.js';
import { TallyMeasure } from '../../src/reports/tally-report.js';
import { attempt, documentOf, timed, times } from '../reports/documents.js';

/** Numbers of two services that were published with their conclusions; where they do not close, both are stated. */
const { claims, 'month-end': monthEnd } = planScenarios;

function capOf(input: PlanInput, cap: number): CapPlan {
  const found = plan(input).caps.find((each) => each.cap === cap);
  if (found === undefined) throw new Error(`no cap ${cap}`);
  return found;
}

describe('given the claims and their yield curve', () => {
  const points = yieldCurve(claims.attempts).map(({ point }) => point);

  it('C = 78.0, 90.1, 93.8, 95.3, 96.0 rescues 121, 37, 15 and 7 per thousand', () => {
    const rescued = points.map(({ rescuedPerThousand }) => Math.round(rescuedPerThousand));
    expect(rescued).toEqual([0, 121, 37, 15, 7]);
  });

  it('c(2) is 55; c(3) is given as 38 but C says 37.4: 38 would rescue 37.6 and bring C(3) to 93.9', () => {
    expect(points[1]?.conditional).toBeCloseTo(0.55, 4);
    expect(points[2]?.conditional).toBeCloseTo(0.3737, 4);
    expect(cumulativePass([0.78, 0.55, 0.38])[2]).toBeCloseTo(0.93862, 5);
  });

  it('attempts 4 and 5 add 13.1 s and 18.4 s to the p99 of a single attempt', () => {
    // Read as each attempt's own addition instead, the p99 after five would be 12 + 13.1 + 18.4 = 43.5 s, or 8.7 s an
    // attempt, where a hard document takes 5.2 s. Over the single attempt's 6.1 s it is 24.5 s, or 4.9 s an attempt.
    expect([4, 5].map((cap) => capOf(claims, cap).addedP99Ms)).toEqual([13_100, 18_400]);
    expect(capOf(claims, 5).p99Ms).toBe(24_500);
  });

  it('attempts 4 and 5 rescue 22 per thousand, half of them wrong', () => {
    const last = [4, 5].map((cap) => capOf(claims, cap));
    expect(last.reduce((sum, { point }) => sum + point.rescuedPerThousand, 0)).toBeCloseTo(22, 9);
    expect(last.reduce((sum, { rightPerThousand }) => sum + (rightPerThousand ?? 0), 0)).toBeCloseTo(11, 9);
  });

  it('6.2 % of 4,000 documents is 248 a day, about ten hours at 25 an hour', () => {
    const { exhaustedPerDay, reviewerHoursPerDay } = capOf(claims, 3);
    expect(exhaustedPerDay).toBeCloseTo(248, 9);
    expect(reviewerHoursPerDay).toBeCloseTo(9.92, 9);
  });

  it('3.1 a second is a load of 8.1 at 2.6 s, 18.3 at 5.9 s and 12.1 at 3.9 s', () => {
    const loads = [2_600, 5_900, 3_900].map((ms) => offeredLoad(3.1, ms).toFixed(1));
    expect(loads).toEqual(['8.1', '18.3', '12.1']);
    expect(capOf(claims, 1).pool.load).toBeCloseTo(8.06, 9);
    expect(capOf(claims, 3).pool.load).toBeCloseTo(12.09, 9);
  });

  it('12 slots are below a load of 12.09: the p99 wait comes under two seconds at 18, busy 0.67', () => {
    expect(p99WaitMs(12.09, 12, 3_900)).toBeNull();
    expect(p99WaitMs(12.09, 17, 3_900)).toBeGreaterThan(2_000);
    expect(p99WaitMs(12.09, 18, 3_900)).toBeLessThan(2_000);
    const { slots, utilisation } = capOf(claims, 3).pool;
    expect(slots).toBe(18);
    expect(utilisation).toBeCloseTo(0.67, 2);
  });

  it('18 slots split 14 to 4 leave the first lane busy 0.58 and the repair lane above capacity, by 0.03 of 4', () => {
    // The split is published as a working system. It is not: 3.1 x (3.9 - 2.6) s = 4.03 repairs at once.
    const { first, repair } = capOf(claims, 3);
    expect(first.utilisation).toBeCloseTo(8.06 / 14, 9);
    expect(repair?.load).toBeCloseTo(4.03, 9);
    expect(repair?.p99WaitMs).toBeNull();
    expect(plan(claims).warnings).toEqual([
      expect.stringContaining('the repair lane would be busy 4.03 of 4'),
    ]);
    // Lanes of their own cost slots: 12 + 8 for the wait that 18 pooled give.
    expect([first.slots, repair?.slots]).toEqual([12, 8]);
  });

  it('the expected repair share is 32 %, inside the budget of 40 % and far outside one of 10 %', () => {
    expect(capOf(claims, 3).repairShare).toBeCloseTo(0.319, 9);
    expect(plan({ ...claims, repairBudgetShare: 0.1 }).warnings.join()).toContain('31.9 % of primary calls');
  });

  it('the recommendation is cap 3, whatever least yield above 7.5 per thousand, and p99 from 12.0 to 19.2 s, is wanted', () => {
    expect(plan(claims)).toMatchObject({
      recommended: 3,
      decidedBy: [{ line: 'yield' }, { line: 'latency' }],
    });
    const withLimits = (limits: Partial<PlanInput['limits']>) =>
      plan({ ...claims, limits: { ...claims.limits, ...limits } }).recommended;
    const onYield = [7.4, 7.6, 36.9, 37.1].map((least) =>
      withLimits({ leastRescuedPerThousand: least, mostP99Ms: null }),
    );
    expect(onYield).toEqual([4, 3, 3, 2]);
    const onLatency = [11_999, 12_000, 19_199, 19_200].map((most) =>
      withLimits({ leastRescuedPerThousand: 0, mostP99Ms: most }),
    );
    expect(onLatency).toEqual([2, 3, 3, 4]);
  });

  it('30 million tokens over 4,000 documents are 7,500 each', () => {
    // 1.319 attempts a document.
    const attempts = claims.attempts.map((each) => ({ ...each, tokens: 7_500 / 1.319 }));
    const allowed = capOf({ ...claims, attempts }, 3);
    expect(allowed.tokensPerDocument).toBeCloseTo(7_500, 6);
    expect(allowed.tokensPerDay).toBeCloseTo(30_000_000, 3);
    expect(capOf(claims, 3).tokensPerDay).toBeCloseTo(29_545_600, 3);
  });

  it('one per cent more of an input moves what depends on it by what hand calculation says, and nothing else', () => {
    const before = capOf(claims, 3);
    const busier = capOf({ ...claims, peakPerSecond: 3.1 * 1.01 }, 3);
    expect(busier.pool.load).toBeCloseTo(12.2109, 9);
    expect(busier.first.load).toBeCloseTo(8.1406, 9);
    expect(busier.repair?.load).toBeCloseTo(4.0703, 9);
    expect(busier.pool.utilisation).toBeCloseTo(0.678383, 6);
    // Erlang C at 12.2109: 17 slots are all busy for 14.3 % of calls, 99 of 100 wait up to 2.17 s; 18 for 8.7 %, 1.45 s.
    expect(busier.pool.slots).toBe(18);
    expect(busier).toMatchObject({
      meanServiceMs: before.meanServiceMs,
      exhaustedPerDay: before.exhaustedPerDay,
      repairShare: before.repairShare,
      tokensPerDay: before.tokensPerDay,
    });
    // 1 % of the second attempt's gain of 12.1 points: C(2) = 90.221, so 9.779 % reach the third.
    const better = capOf(
      {
        ...claims,
        attempts: claims.attempts.map((each, at) => (at === 1 ? { ...each, cumulativePass: 0.90221 } : each)),
      },
      3,
    );
    expect(better.repairShare).toBeCloseTo(0.31779, 9);
    expect(better.meanServiceMs).toBeCloseTo(2_600 + (0.31779 * 1_300) / 0.319, 9);
    expect(better.point.rescuedPerThousand).toBeCloseTo(35.79, 9);
    expect(better.exhaustedPerDay).toBeCloseTo(248, 9);
    const slower = capOf({ ...claims, reviewsPerHour: 25 * 1.01 }, 3);
    expect(slower.reviewerHoursPerDay).toBeCloseTo(9.821782, 6);
    expect(slower.pool).toEqual(before.pool);
  });
});

describe('given invoices at the end of a month', () => {
  it('0.81 x 1.2 + 0.14 x 6.2 + 0.05 x 9.3 is 2.31 s, or 2.77 s at a cap of six', () => {
    expect(capOf(monthEnd, 3).meanServiceMs).toBeCloseTo(2_305, 9);
    expect(capOf(monthEnd, 6).meanServiceMs).toBeCloseTo(2_770, 9);
  });

  it('70 a second need 162 slots, or 194 at a cap of six', () => {
    expect(capOf(monthEnd, 3).pool.fewestSlots).toBe(162);
    expect(capOf(monthEnd, 6).pool.fewestSlots).toBe(194);
  });

  it('a pool of 160 is published as just enough for 162; it is above capacity by 1.35, and by a fifth at six', () => {
    const three = capOf(monthEnd, 3).pool;
    expect(three.load).toBeCloseTo(161.35, 9);
    expect(three.p99WaitMs).toBeNull();
    expect(capOf(monthEnd, 6).pool.utilisation).toBeCloseTo(1.21, 2);
  });

  it('the third attempt rescues nobody and does not fit, so the recommendation is a cap of 2 with 151 of 160 busy', () => {
    const made = plan(monthEnd);
    expect(made).toMatchObject({ recommended: 2, decidedBy: [{ line: 'yield' }, { line: 'capacity' }] });
    expect(capOf(monthEnd, 2).pool.fewestSlots).toBe(151);
    // The 19 % that repairs need at month-end are past a budget of 10 %.
    expect(made.warnings).toEqual([expect.stringContaining('19.0 % of primary calls')]);
  });

  it('three attempts at the ceiling are 9.3 s, two and a half times three ordinary ones', () => {
    const failing = (meanMs: number): PlanInput => ({
      ...monthEnd,
      attempts: monthEnd.attempts.map((each) => ({ ...each, cumulativePass: 0, meanMs })),
    });
    const [ceiling, ordinary] = [3_100, 1_200].map((ms) => capOf(failing(ms), 3).meanServiceMs);
    expect(ceiling).toBeCloseTo(9_300, 9);
    expect((ceiling ?? 0) / (ordinary ?? 1)).toBeCloseTo(31 / 12, 9);
  });

  it('one per cent more of an input moves what depends on it by what hand calculation says', () => {
    const busier = { ...monthEnd, peakPerSecond: 70.7 };
    expect([3, 6].map((cap) => capOf(busier, cap).pool.fewestSlots)).toEqual([163, 196]);
    const slower: PlanInput = {
      ...monthEnd,
      attempts: monthEnd.attempts.map((each, at) => (at === 2 ? { ...each, meanMs: 3_131 } : each)),
    };
    // Only the 5 % that make the third attempt feel it: 2305 + 0.05 x 31.
    expect(capOf(slower, 3).meanServiceMs).toBeCloseTo(2_306.55, 9);
    expect(capOf(slower, 2).meanServiceMs).toBeCloseTo(2_150, 9);
  });
});

describe('given the causes of exhausted invoices and what repairs recover', () => {
  it('61 % truncated and 22 % refused are the 83 % that the same call cannot mend', () => {
    const exhausted = (['truncated', 'refusal', 'constraint'] as const).flatMap((failureClass, index) =>
      times([61, 22, 17][index] ?? 0, () =>
        documentOf([attempt({ failureClass })], { reason: 'attempt_cap' }),
      ),
    );
    const { classes, unverified } = measured(new TallyMeasure(), exhausted).report();
    expect(classes).toEqual([
      { failureClass: 'truncated', attempts: 61 },
      { failureClass: 'refusal', attempts: 22 },
      { failureClass: 'constraint', attempts: 17 },
    ]);
    const [truncated, refused] = classes;
    expect(((truncated?.attempts ?? 0) + (refused?.attempts ?? 0)) / unverified).toBe(0.83);
  });

  it('marginal recoveries of 70, 17, 7 and 8 % are published as all recoveries; they add up to 102, so they are 69, 17, 7 and 8', () => {
    const recovered = [70, 17, 7, 8].flatMap((documents, index) =>
      times(documents, () =>
        timed(
          0,
          times(index + 2, () => 1),
          'verified',
        ),
      ),
    );
    const report = measured(new RecoveryMeasure(), recovered).report(new Map());
    const shares = report.byAttempt.map(({ ofRecovered }) => ofRecovered ?? 0);
    expect(report.recovered).toBe(102);
    expect(shares.map((share) => Math.round(share * 100))).toEqual([69, 17, 7, 8]);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it('a cap of n means up to n times the traffic in a bad deploy: 3 for a cap of 3, where 4 is published', () => {
    // The published four counts three repairs beside the primary call; its own 9.3 s are three calls in all.
    expect(capOf(monthEnd, 3).worstCallsPerDocument).toBe(3);
    expect(capOf(monthEnd, 4).worstCallsPerDocument).toBe(4);
    expect(capOf(monthEnd, 3).budgetedCallsPerDocument).toBeCloseTo(1.1, 9);
  });
});
