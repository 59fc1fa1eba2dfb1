import { describe, expect, it } from 'vitest';
import { wilsonInterval } from '../../src/domain/wilson-interval.js';
import { plan } from '../../src/planner/plan.js';
import { planFault } from '../../src/planner/plan-fault.js';
import type { AttemptFigures, PlanInput } from '../../src/planner/plan-input.js';

const attempt = (cumulativePass: number, over: Partial<AttemptFigures> = {}): AttemptFigures => ({
  cumulativePass,
  reached: null,
  meanMs: 1_000,
  p99Ms: null,
  wrongShare: 0,
  tokens: 100,
  cost: null,
  ...over,
});

const eur = (amount: string) => ({ amount, currency: 'EUR' });

/** 80 % at once, half of the rest, half of the rest: 100 and 50 rescued per thousand. One document a second. */
function small(over: Partial<PlanInput> = {}, limits: Partial<PlanInput['limits']> = {}): PlanInput {
  return {
    measuredRuns: null,
    peakPerSecond: 1,
    documentsPerDay: 1_000,
    attempts: [attempt(0.8), attempt(0.9), attempt(0.95)],
    slots: null,
    repairBudgetShare: null,
    reviewedShare: null,
    reviewsPerHour: 10,
    reviewerPerHour: null,
    limits: { leastRescuedPerThousand: 10, mostP99Ms: null, mostSlots: null, mostWaitMs: 2_000, ...limits },
    ...over,
  };
}

const linesOf = (input: PlanInput) => plan(input).decidedBy.map(({ line }) => line);

describe('given numbers without limits that bite', () => {
  it('when they are planned, then every attempt known is worth making and nothing spoke against it', () => {
    expect(plan(small())).toMatchObject({ recommended: 3, decidedBy: [], warnings: [] });
  });

  it('when only some of the exhausted go to a person, then only those take hours, and the legend says which', () => {
    const [all, some] = [null, 0.6].map((reviewedShare) => plan(small({ reviewedShare })));
    // 50 of 1,000 a day at ten an hour; three in five of them.
    expect(all?.caps[2]?.reviewerHoursPerDay).toBeCloseTo(5, 9);
    expect(some?.caps[2]?.reviewerHoursPerDay).toBeCloseTo(3, 9);
    expect(some?.caps[2]?.exhaustedPerDay).toBeCloseTo(50, 9);
    expect(all?.legend.join()).toContain('Reviewer hours if every exhausted document goes to a person.');
    expect(some?.legend.join()).toContain('Reviewer hours of the 60.0 % of exhausted documents that go to');
    expect(all?.legend[0]).toContain('landing, which the latency report counts too, is not in it');
  });

  it('when a cap is planned, then its figures are those worked out by hand', () => {
    const [first, , third] = plan(small()).caps;
    expect(first).toMatchObject({
      cap: 1,
      exhaustedPerDay: expect.closeTo(200),
      repair: null,
      costPerDay: null,
    });
    expect(third?.exhaustedShare).toBeCloseTo(0.05, 12);
    expect(third?.reviewerHoursPerDay).toBeCloseTo(5, 9);
    expect(third?.callsPerDocument).toBeCloseTo(1.3, 12);
    expect(third?.repairShare).toBeCloseTo(0.3, 12);
    expect(third?.meanServiceMs).toBeCloseTo(1_300, 9);
    expect(third?.pool.load).toBeCloseTo(1.3, 12);
    expect(third?.first.load).toBeCloseTo(1, 12);
    expect(third?.repair?.load).toBeCloseTo(0.3, 12);
    expect(third?.tokensPerDay).toBeCloseTo(130_000, 6);
    expect(third?.worstCallsPerDocument).toBe(3);
    expect(third?.budgetedCallsPerDocument).toBe(3);
  });

  it('when prices are known, then money is an expectation in decimal text', () => {
    const attempts = [
      attempt(0.8, { cost: eur('0.01') }),
      attempt(0.9, { cost: eur('0.02') }),
      attempt(0.95, { cost: eur('0.05'), wrongShare: 0.5 }),
    ];
    const [first, second, third] = plan(small({ attempts, reviewerPerHour: eur('40') })).caps;
    expect(first?.costPerRescue).toBeNull();
    expect(second?.costPerDay).toEqual(eur('14.000000'));
    expect(second?.costPerRescue).toEqual(eur('0.040000'));
    // A tenth makes the third attempt, 25 per thousand come out right: 0.1 x 0.05 / 0.025.
    expect(third?.costPerRescue).toEqual(eur('0.200000'));
    expect(third?.reviewerCostPerDay).toEqual(eur('200.000000'));
  });

  it('when no document makes a first attempt, then there are no repairs either', () => {
    const none = plan(small({ attempts: [attempt(0, { reached: 0 }), attempt(0, { reached: 0 })] }));
    expect(none.caps.map(({ repairShare }) => repairShare)).toEqual([0, 0]);
  });

  it('when one price is missing, then the sum is not known, rather than too small', () => {
    const attempts = [attempt(0.8), attempt(0.9, { cost: eur('0.02') })];
    expect(plan(small({ attempts })).caps[1]?.costPerDay).toBeNull();
  });
});

describe('given a line that the third attempt crosses', () => {
  it('when it brings too little, then yield decides', () => {
    const made = plan(small({}, { leastRescuedPerThousand: 60 }));
    expect(made.recommended).toBe(2);
    expect(made.decidedBy).toEqual([
      {
        line: 'yield',
        says: 'attempt 3 rescues 50.0 per thousand, 50.0 of them right; at least 60 are wanted',
      },
    ]);
  });

  it('when most of what it brings is wrong, then yield decides although enough are rescued', () => {
    const attempts = [attempt(0.8), attempt(0.9), attempt(0.95, { wrongShare: 0.9 })];
    expect(plan(small({ attempts }))).toMatchObject({ recommended: 2, decidedBy: [{ line: 'yield' }] });
  });

  it('when it brings nothing, then yield decides even where nothing is demanded', () => {
    const attempts = [attempt(0.8), attempt(0.9), attempt(0.9)];
    expect(plan(small({ attempts }, { leastRescuedPerThousand: 0 }))).toMatchObject({
      recommended: 2,
      decidedBy: [{ line: 'yield' }],
    });
  });

  it('when it makes the tail too long, then latency decides; a p99 nobody measured decides nothing', () => {
    const attempts = [attempt(0.8, { p99Ms: 2_000 }), attempt(0.9), attempt(0.95, { p99Ms: 9_000 })];
    const made = plan(small({ attempts }, { mostP99Ms: 8_999 }));
    expect(made).toMatchObject({ recommended: 2, decidedBy: [{ line: 'latency' }] });
    expect(made.caps.map(({ addedP99Ms }) => addedP99Ms)).toEqual([0, null, 7_000]);
    expect(plan(small({ attempts }, { mostP99Ms: 9_000 })).recommended).toBe(3);
    const unmeasured = [attempt(0.8), attempt(0.9, { p99Ms: 5_000 })];
    expect(plan(small({ attempts: unmeasured })).caps[1]?.addedP99Ms).toBeNull();
  });

  it('when there cannot be as many slots, then capacity decides', () => {
    // 10 a second: 10 x 1.2 s and 10 x 1.3 s; a load of 12 needs 13 slots, one of 13 needs 14.
    expect(plan(small({ peakPerSecond: 10 }, { mostSlots: 13 }))).toMatchObject({
      recommended: 2,
      decidedBy: [{ line: 'capacity', says: 'cap 3 keeps 14 slots busy; there are at most 13' }],
    });
  });

  it('when a person is cheaper, then price decides', () => {
    const attempts = [
      attempt(0.8, { cost: eur('1') }),
      attempt(0.9, { cost: eur('1') }),
      attempt(0.95, { cost: eur('2.1') }),
    ];
    // A review costs 40 / 10 = 4; the third attempt 0.1 x 2.1 / 0.05 = 4.2 for a rescued document.
    const made = plan(small({ attempts, reviewerPerHour: eur('40') }));
    expect(made.recommended).toBe(2);
    expect(made.decidedBy).toMatchObject([{ line: 'price' }]);
    expect(plan(small({ attempts, reviewerPerHour: eur('43') })).recommended).toBe(3);
  });

  it('when several lines are crossed, then all are named, the deciding one first', () => {
    const attempts = [attempt(0.8), attempt(0.9), attempt(0.9, { p99Ms: 9_000 })];
    expect(linesOf(small({ attempts }, { mostP99Ms: 1 }))).toEqual(['yield', 'latency']);
  });
});

describe('given figures of which not everything is known', () => {
  const unchecked = (pass: number, over: Partial<AttemptFigures> = {}) =>
    attempt(pass, { wrongShare: null, ...over });

  it('when nobody checked what an attempt rescued, then how much of it is right is unknown, and that is said', () => {
    const made = plan(small({ attempts: [unchecked(0.8), unchecked(0.9), attempt(0.95)] }));
    // The first rescues nobody: that much is known.
    expect(made.caps.map(({ rightPerThousand }) => rightPerThousand)).toEqual([
      0,
      null,
      expect.closeTo(50, 9),
    ]);
    expect(made.legend[0]).toBe(
      'How many rescues of attempt 2 are right is unknown (an audit tells): lines and prices take all of them for right.',
    );
    const all = plan(small({ attempts: [unchecked(0.8), unchecked(0.9), unchecked(0.95)] }));
    expect(all.legend[0]).toContain('of attempts 2, 3 are right is unknown');
    expect(plan(small()).legend.join()).not.toContain('unknown');
  });

  it('when even all of them are too few or too dear, then the line is crossed without an audit', () => {
    const attempts = [unchecked(0.8), unchecked(0.9), unchecked(0.95, { cost: eur('2.1') })];
    expect(plan(small({ attempts }, { leastRescuedPerThousand: 60 })).decidedBy).toEqual([
      { line: 'yield', says: 'attempt 3 rescues 50.0 per thousand; at least 60 are wanted' },
    ]);
    // 0.1 x 2.1 / 0.05 for each, were all of them right.
    const made = plan(small({ attempts, reviewerPerHour: eur('40') }));
    expect(made.caps[2]?.costPerRescue).toEqual(eur('4.200000'));
    expect(made).toMatchObject({ recommended: 2, decidedBy: [{ line: 'price' }] });
  });

  it('when few runs were measured, then it is said how many are wanted; none were where figures come from elsewhere', () => {
    const warned = (measuredRuns: number | null) => plan(small({ measuredRuns })).warnings;
    expect(warned(4)).toEqual([
      'Few: 4 runs were measured, 300 or more are wanted before shares are to be relied on.',
    ]);
    expect(warned(1)[0]).toContain('1 run was measured');
    expect([...warned(299)]).toHaveLength(1);
    expect([...warned(300), ...warned(null)]).toEqual([]);
    // What stands at the number: half of 300 is known within 6 points, of 29 within 17.
    const half = ({ low, high }: { low: number; high: number }) => (high - low) / 2;
    expect(half(wilsonInterval(150, 300))).toBeCloseTo(0.056, 3);
    expect(half(wilsonInterval(14, 29))).toBeCloseTo(0.171, 3);
  });
});

describe('given a recommended cap that does not fit what is there', () => {
  it('when there are enough slots to keep up and too few to be quick, then the wait is named, and what it takes', () => {
    const lanes = (repair: number) =>
      plan(small({ peakPerSecond: 10, slots: { kind: 'lanes', first: 40, repair } }, { mostWaitMs: 500 }));
    // Three busy of four: Erlang C is 0.5094, and ln(0.5094 / 0.01) s / (4 - 3) = 3.93 s; seven are the fewest below half one.
    expect(lanes(4)).toMatchObject({
      recommended: 3,
      warnings: [
        'Long waits: in the repair lane 1 of 100 calls waits longer than 3.9 s for a slot; at most 0.5 s is wanted, which takes 7 instead of 4.',
      ],
    });
    expect(lanes(7).warnings).toEqual([]);
  });

  it('when the lanes are too few, then each is named with its load, and the cap stays', () => {
    const made = plan(small({ peakPerSecond: 10, slots: { kind: 'lanes', first: 10, repair: 3 } }));
    expect(made.recommended).toBe(3);
    expect(made.warnings).toEqual([
      'Above capacity: all slots together would be busy 13.00 of 13; waits grow as long as the peak lasts.',
      'Above capacity: the first lane would be busy 10.00 of 10; waits grow as long as the peak lasts.',
      'Above capacity: the repair lane would be busy 3.00 of 3; waits grow as long as the peak lasts.',
    ]);
  });

  it('when only the repair lane is too small, then only it is named although all slots together would do', () => {
    const { warnings } = plan(small({ peakPerSecond: 10, slots: { kind: 'lanes', first: 14, repair: 2 } }));
    expect(warnings).toEqual([expect.stringContaining('the repair lane would be busy 3.00 of 2')]);
  });

  it('when the pool is too small for a single attempt, then that is said', () => {
    const one = small(
      { peakPerSecond: 10, attempts: [attempt(0.8)], slots: { kind: 'pool', pool: 5 } },
      { mostSlots: 5 },
    );
    expect(plan(one).warnings).toEqual([
      'Above capacity: all slots together would be busy 10.00 of 5; waits grow as long as the peak lasts.',
      'Even a cap of 1 keeps 11 slots busy; there are at most 5.',
    ]);
  });

  it('when the repairs exceed their budget, then that is said, and the budget bounds a bad deploy', () => {
    const made = plan(small({ repairBudgetShare: 0.1 }));
    expect(made.warnings).toEqual([
      'Expected repairs are 30.0 % of primary calls, the repair budget is 10.0 %: it would refuse repairs on ordinary days.',
    ]);
    expect(made.caps[2]?.budgetedCallsPerDocument).toBeCloseTo(1.1, 12);
    expect(plan(small({ repairBudgetShare: 0.3001 })).warnings).toEqual([]);
  });
});

describe('given numbers no plan can be made of', () => {
  const cases: readonly (readonly [PlanInput, string])[] = [
    [small({ measuredRuns: 0.5 }), 'measuredRuns must be a whole number.'],
    [small({ peakPerSecond: 0 }), 'peakPerSecond must be above 0.'],
    [
      small({ peakPerSecond: 20_000 }),
      'peakPerSecond and meanMs keep more than 20,000 slots busy at once: plan for a part of that.',
    ],
    [small({ peakPerSecond: 1e13 }), 'No number of a plan may be above 1,000,000,000,000.'],
    [small({ reviewerPerHour: eur('1000000000001') }), 'No number of a plan may be above 1,000,000,000,000.'],
    [small({ documentsPerDay: -1 }), 'documentsPerDay must be 0 or more.'],
    [small({ attempts: [] }), 'attempts must describe 1 to 100 attempts.'],
    [
      small({ attempts: Array.from({ length: 101 }, () => attempt(0.5)) }),
      'attempts must describe 1 to 100 attempts.',
    ],
    [small({ slots: { kind: 'pool', pool: 0 } }), 'slots must be whole numbers from 1.'],
    [small({ slots: { kind: 'lanes', first: 1, repair: 0.5 } }), 'slots must be whole numbers from 1.'],
    [small({ repairBudgetShare: Number.NaN }), 'repairBudgetShare must be 0 or more.'],
    [small({ reviewedShare: 1.1 }), 'reviewedShare must be a share between 0 and 1.'],
    [small({ reviewsPerHour: 0 }), 'reviewsPerHour must be above 0.'],
    [small({ reviewerPerHour: eur('1e3') }), 'reviewerPerHour.amount must be a plain decimal text.'],
    [small({}, { leastRescuedPerThousand: -1 }), 'leastRescuedPerThousand must be 0 or more.'],
    [small({}, { mostP99Ms: 0 }), 'mostP99Ms must be above 0.'],
    [small({}, { mostSlots: 1.5 }), 'mostSlots must be a whole number.'],
    [small({}, { mostWaitMs: Number.POSITIVE_INFINITY }), 'mostWaitMs must be a duration, 0 or more.'],
    [
      small({
        attempts: [attempt(0.8, { cost: { amount: '1', currency: 'USD' } })],
        reviewerPerHour: eur('1'),
      }),
      'All money of a plan must be in one currency.',
    ],
    [small({ attempts: [attempt(1.2)] }), 'Attempt 1: cumulativePass must be a share between 0 and 1.'],
    [
      small({ attempts: [attempt(0.8, { reached: -1 })] }),
      'Attempt 1: reached must be a share between 0 and 1.',
    ],
    [small({ attempts: [attempt(0.8, { meanMs: 0 })] }), 'Attempt 1: meanMs must be a duration above 0.'],
    [small({ attempts: [attempt(0.8, { p99Ms: 0 })] }), 'Attempt 1: p99Ms must be a duration above 0.'],
    [
      small({ attempts: [attempt(0.8, { wrongShare: 2 })] }),
      'Attempt 1: wrongShare must be a share between 0 and 1.',
    ],
    [small({ attempts: [attempt(0.8, { tokens: -1 })] }), 'Attempt 1: tokens must be 0 or more.'],
    [
      small({ attempts: [attempt(0.8, { cost: eur('-1') })] }),
      'Attempt 1: cost.amount must be a plain decimal text, 0 or more.',
    ],
    [
      small({ attempts: [attempt(0.8), attempt(0.7)] }),
      'Attempt 2: cumulativePass must not fall: what is verified stays verified.',
    ],
    [
      small({ attempts: [attempt(0.8), attempt(0.9, { reached: 0.3 })] }),
      'Attempt 2: reached must not exceed what was left over before it.',
    ],
    [
      small({ attempts: [attempt(0.8), attempt(0.9, { reached: 0.05 })] }),
      'Attempt 2: more documents pass than reach it.',
    ],
  ];

  it.each(cases.map(([input, sentence]) => ({ input, sentence })))(
    'when planned, then it is said: $sentence',
    ({ input, sentence }) => {
      expect(planFault(input)).toBe(sentence);
      expect(() => plan(input)).toThrow(new RangeError(sentence));
    },
  );
});
