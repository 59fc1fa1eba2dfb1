import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/simulator/scenario.js';
import { scenarios } from '../../src/simulator/scenarios.js';
import { type Simulation, simulate } from '../../src/simulator/simulate.js';

/** Slots busy on average, per document: the mean service time that Little's law multiplies with. */
function meanServiceMs({ slots, endedAt, documents }: Simulation): number {
  return slots.reduce((sum, lane) => sum + lane.utilisation * lane.slots * endedAt, 0) / documents;
}

/** The first week's documents, with slots for all, so that no time is spent waiting. */
const week: Scenario = {
  ...scenarios['week-one-uncapped'],
  planted: [],
  slots: { kind: 'pool', pool: 10_000 },
};
const atCap = (attemptCap: number) => simulate({ ...week, policy: { ...week.policy, attemptCap } }, 1);

describe('given the first week of claims, without waiting', () => {
  const [single, three, four, five, uncapped] = [1, 3, 4, 5, 1_000_000].map(atCap) as [
    Simulation,
    Simulation,
    Simulation,
    Simulation,
    Simulation,
  ];

  it('the median is 2.4 s, and exactly the same at every cap: most documents pass at once and never repair', () => {
    expect(single.latency.p50Ms).toBeGreaterThan(2_350);
    expect(single.latency.p50Ms).toBeLessThan(2_450);
    for (const other of [three, four, five, uncapped]) expect(other.latency.p50Ms).toBe(single.latency.p50Ms);
  });

  it('the p99 goes from 6.1 s to 71 s, more than tenfold, and is 12 s at a cap of three', () => {
    const p99 = [single, three, uncapped].map(({ latency }) => (latency.p99Ms ?? 0) / 1_000);
    expect(p99[0]).toBeCloseTo(6.1, 0);
    expect(p99[1]).toBeCloseTo(12, 0);
    expect(Math.abs((p99[2] ?? 0) - 71)).toBeLessThan(4);
    expect((p99[2] ?? 0) / (p99[0] ?? 1)).toBeGreaterThan(10);
  });

  it('the p99 with four and five attempts lies 13.1 s and 18.4 s above that of one', () => {
    const added = [four, five].map(
      ({ latency }) => ((latency.p99Ms ?? 0) - (single.latency.p99Ms ?? 0)) / 1_000,
    );
    expect(Math.abs((added[0] ?? 0) - 13.1)).toBeLessThan(0.7);
    expect(Math.abs((added[1] ?? 0) - 18.4)).toBeLessThan(0.7);
  });

  it('the mean service time is 2.6 s, 3.9 s at a cap of three, and 5.9 s without one', () => {
    expect(meanServiceMs(single) / 1_000).toBeCloseTo(2.6, 1);
    expect(Math.abs(meanServiceMs(three) / 1_000 - 3.9)).toBeLessThan(0.1);
    expect(Math.abs(meanServiceMs(uncapped) / 1_000 - 5.9)).toBeLessThan(0.2);
  });

  it('thirteen attempts of 5.2 s are published beside the p99 of 71 s; they are 67.6 s, the rest was waiting', () => {
    const hopeless = week.kinds.map((kind) => ({ ...kind, pass: [0], medianMs: [5_200], spread: 0 }));
    const [thirteen, early] = [13, 3].map(
      (attemptCap) =>
        simulate({ ...week, documents: 50, kinds: hopeless, policy: { ...week.policy, attemptCap } }, 1)
          .latency.p50Ms,
    );
    expect(thirteen).toBe(67_600);
    // Past the published 12 s at cap three: early attempts must be faster.
    expect(early).toBe(15_600);
  });

  it('C is 78.0, 90.1, 93.8, 95.3, 96.0 within four standard errors', () => {
    let passed = 0;
    const { documents } = uncapped;
    for (const [index, share] of [0.78, 0.901, 0.938, 0.953, 0.96].entries()) {
      passed += uncapped.yield[index]?.passed ?? 0;
      expect(Math.abs(passed / documents - share)).toBeLessThan(
        4 * Math.sqrt((share * (1 - share)) / documents),
      );
    }
  });
});

describe('given the first week of claims with the four that never end, without waiting', () => {
  const planted = { ...week, planted: scenarios['week-one-uncapped'].planted };
  const at = (attemptCap: number) => simulate({ ...planted, policy: { ...week.policy, attemptCap } }, 1);

  it('the median does not move, the p99 goes up tenfold, and the four are open: all in the same week', () => {
    const [single, uncapped] = [at(1), at(1_000_000)];
    expect(uncapped.latency.p50Ms).toBe(single.latency.p50Ms);
    expect(uncapped.latency.p99Ms ?? 0).toBeGreaterThan(10 * (single.latency.p99Ms ?? 0));
    expect(uncapped.latency.open).toBe(4);
    expect(uncapped.openDocuments.map(({ kind }) => kind)).toEqual([
      'hopeless',
      'hopeless',
      'hopeless',
      'hopeless',
    ]);
    expect(single.open).toBe(0);
  });
});

describe('given the first week of claims on twelve workers', () => {
  const uncapped = simulate(scenarios['week-one-uncapped'], 1);
  const capped = simulate(scenarios['week-one-capped'], 1);

  it('four documents that never end are open on Thursday, not absent, with 400,000 output tokens each', () => {
    expect(uncapped.open).toBe(4);
    for (const { kind, sinceMs, attempts } of uncapped.openDocuments) {
      expect(kind).toBe('hopeless');
      expect(sinceMs / 3_600_000).toBeGreaterThan(40);
      // Forty hours at 5.2 s would be 27,700 attempts and 14 tokens each: the published figures need slower calls.
      expect(attempts * 600).toBeGreaterThan(400_000);
    }
    const tuesday = uncapped.timeline.find(({ latency }) => latency.open > 0);
    expect(tuesday).toMatchObject({ arrived: 4, latency: { open: 4, ended: 0, p50Ms: null } });
  });

  it('they hold four workers of twelve all the while, and none where runs are bounded', () => {
    const night = uncapped.timeline.filter(({ from }) => from >= 41 * 3_600_000 && from < 44 * 3_600_000);
    expect(night.map(({ busy }) => busy['pool'])).toEqual([4, 4, 4]);
    expect(capped.open).toBe(0);
    expect(capped.reasons.find(({ name }) => name === 'contradiction')?.documents).toBe(4);
  });

  it('the median hardly moves even with waiting, while the p99 is five times what it is with bounds', () => {
    const median = [uncapped, capped].map(({ latency }) => latency.p50Ms ?? 0);
    expect((median[0] ?? 0) / (median[1] ?? 1)).toBeLessThan(1.05);
    expect((uncapped.latency.p99Ms ?? 0) / (capped.latency.p99Ms ?? 1)).toBeGreaterThan(5);
  });
});

describe('given invoices at the end of a month, in a loop that does not read classes', () => {
  const blind = scenarios['month-end'].kinds.map((kind) => ({
    ...kind,
    outputTokens: 450,
    spread: 0,
    fails: [{ failureClass: 'schema' as const, weight: 1 }],
  }));
  const atCapOf = (attemptCap: number) =>
    simulate(
      {
        ...scenarios['month-end'],
        documents: 12_000,
        kinds: blind,
        slots: { kind: 'pool', pool: 1_000 },
        repairBudget: null,
        policy: { ...scenarios['month-end'].policy, attemptCap },
      },
      1,
    );

  it('a document holds a slot for 2.31 s at a cap of three and 2.77 s at six: 162 and 194 slots at 70 a second', () => {
    const service = [3, 6].map((cap) => meanServiceMs(atCapOf(cap)) / 1_000);
    expect(Math.abs((service[0] ?? 0) - 2.305)).toBeLessThan(0.06);
    expect(Math.abs((service[1] ?? 0) - 2.77)).toBeLessThan(0.1);
  });

  it('60 slots less than it needs make every document wait, the easy ones included', () => {
    const scenario = { ...scenarios['month-end'], documents: 6_000, kinds: blind, repairBudget: null };
    const run = (pool: number) =>
      simulate({ ...scenario, slots: { kind: 'pool', pool } }, 1).latency.p50Ms ?? 0;
    expect(run(220)).toBe(1_200);
    expect(run(100)).toBeGreaterThan(10_000);
  });

  it('a loop that reads classes makes one call for a refusal, where this one makes three', () => {
    const reading = simulate({ ...scenarios['month-end'], documents: 12_000 }, 1);
    const refused = reading.reasons.find(({ name }) => name === 'refusal')?.documents ?? 0;
    expect(refused).toBeGreaterThan(80);
    expect(reading.classes.find(({ name }) => name === 'refusal')?.attempts).toBe(refused);
  });
});
