import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Policy } from '../../src/domain/policy.js';
import type { DocumentKind, Scenario } from '../../src/simulator/scenario.js';
import { scenarioFault } from '../../src/simulator/scenario.js';
import { scenarios } from '../../src/simulator/scenarios.js';
import { type Simulation, simulate } from '../../src/simulator/simulate.js';

const small: Scenario = { ...scenarios['bad-deploy'], documents: 300, incidents: [] };
const [kind] = small.kinds as readonly [DocumentKind];
const withKind = (over: Partial<DocumentKind>, scenario: Partial<Scenario> = {}): Scenario => ({
  ...small,
  kinds: [{ ...kind, ...over }],
  slots: { kind: 'lanes', first: 99, repair: 99 },
  repairBudget: null,
  ...scenario,
});
const withPolicy = (scenario: Scenario, over: Partial<Policy>): Scenario => ({
  ...scenario,
  policy: { ...scenario.policy, ...over },
});
const count = (entries: readonly { readonly name: string; readonly documents: number }[], name: string) =>
  entries.find((entry) => entry.name === name)?.documents ?? 0;
const line = (simulation: Simulation, minutes: number) =>
  simulation.timeline.find(({ from }) => from === minutes * 60_000);

describe('given a seed', () => {
  it('when a scenario runs twice, then the bytes are the same; another seed gives others', () => {
    for (const scenario of Object.values(scenarios)) {
      const once = (seed: number) => JSON.stringify(simulate({ ...scenario, documents: 400 }, seed));
      expect(once(11)).toBe(once(11));
      expect(once(11)).not.toBe(once(12));
    }
  });

  it('when anything of a world is changed, then every document is verified, unverified or open', () => {
    const worlds = fc.record({
      seed: fc.nat(),
      cap: fc.integer({ min: 1, max: 4 }),
      first: fc.integer({ min: 0, max: 5 }),
      repair: fc.integer({ min: 0, max: 3 }),
      isPool: fc.boolean(),
      deadlineMs: fc.integer({ min: 0, max: 30_000 }),
      patienceMs: fc.constantFrom(0, 20_000),
      share: fc.constantFrom(null, 0, 0.2),
      stopAt: fc.constantFrom(null, 30_000),
    });
    fc.assert(
      fc.property(worlds, ({ seed, cap, first, repair, isPool, share, stopAt, ...policy }) => {
        const result = simulate(
          {
            ...small,
            documents: 60,
            stopAt,
            slots: isPool ? { kind: 'pool', pool: first } : { kind: 'lanes', first, repair },
            repairBudget: share === null ? null : { share, floor: 2, windowMs: 10_000 },
            incidents: [
              { kind: 'outage', from: 5_000, to: 9_000 },
              { kind: 'bad_prompt', from: 12_000, to: 20_000 },
            ],
            policy: {
              ...small.policy,
              attemptCap: cap,
              deadlineMs: policy.deadlineMs,
              outage: { patienceMs: policy.patienceMs, pauseMs: 4_000 },
            },
          },
          seed,
        );
        expect(result.verified + result.unverified + result.open).toBe(result.documents);
        if (stopAt === null) expect(result).toMatchObject({ documents: 60, open: 0 });
        const listed = (entries: Simulation['reasons']) =>
          entries.reduce((sum, { documents }) => sum + documents, 0);
        expect(listed(result.reasons)).toBe(result.unverified);
        expect(listed(result.routes)).toBe(result.unverified);
        expect(result.yield.length).toBeLessThanOrEqual(cap);
        for (const { utilisation } of result.slots) expect(utilisation).toBeLessThanOrEqual(1 + 1e-9);
        const times = result.timeline.reduce((sum, each) => sum + each.arrived, 0);
        expect(times).toBe(result.documents);
      }),
      { numRuns: 150 },
    );
  });
});

describe('given documents of one kind', () => {
  it.each([
    ['alternating', 'oscillation', 3],
    ['same', 'no_progress', 2],
    ['contradicting', 'contradiction', 2],
    ['unrepairable', 'not_repairable', 1],
    ['new', 'attempt_cap', 4],
  ] as const)(
    'when no answer would pass and answers are %s, then all stop for %s after %i attempts',
    (answers, reason, attempts) => {
      const result = simulate(withPolicy(withKind({ pass: [0], answers: [answers] }), { attemptCap: 4 }), 1);
      expect(result.reasons).toEqual([{ name: reason, documents: 300 }]);
      expect(result.yield.map(({ reached }) => reached)).toEqual(Array.from({ length: attempts }, () => 300));
    },
  );

  it('when the model refuses, then there is one call for each and a person looks at it', () => {
    const result = simulate(withKind({ pass: [0], fails: [{ failureClass: 'refusal', weight: 1 }] }), 1);
    expect(result).toMatchObject({
      calls: { primaries: 300, repairs: 0 },
      reasons: [{ name: 'refusal', documents: 300 }],
      routes: [{ name: 'human_review', documents: 300 }],
    });
  });

  it('when the record needs 2,000 tokens, then the first call is cut off at 1,500 and the second passes', () => {
    const result = simulate(withKind({ outputTokens: 2_000, inputTokens: 100 }), 1);
    expect(result).toMatchObject({
      verified: 300,
      classes: [{ name: 'truncated', attempts: 300 }],
      tokens: 300 * (100 + 1_500 + 100 + 2_000),
    });
  });

  it('when there are no repair slots, then repairs give up for want of capacity and first attempts go on', () => {
    const result = simulate(withKind({ pass: [0.5] }, { slots: { kind: 'lanes', first: 14, repair: 0 } }), 1);
    expect(result.reasons).toEqual([{ name: 'no_capacity', documents: result.unverified }]);
    expect(result.calls).toEqual({ primaries: 300, repairs: 0, failed: 0 });
    expect(result.verified).toBeGreaterThan(120);
  });

  it('when a call takes longer than is left, then the document ends at its deadline to the millisecond', () => {
    const slow = withPolicy(withKind({ medianMs: [9_000], spread: 0 }), { deadlineMs: 8_000 });
    expect(simulate(slow, 1)).toMatchObject({
      reasons: [{ name: 'deadline', documents: 300 }],
      routes: [{ name: 'dead_letter', documents: 300 }],
      latency: { p50Ms: 8_000, p99Ms: 8_000 },
    });
  });
});

describe('given a bad prompt for ten minutes', () => {
  const result = simulate(scenarios['bad-deploy'], 1);

  it('when every reply is wrong, then repairs stay within their share, where three attempts would be three times the calls', () => {
    for (const minutes of [10, 15]) {
      const during = line(result, minutes);
      expect(during?.repairs).toBeLessThanOrEqual(0.41 * (during?.primaries ?? 0));
    }
    const blind = simulate(
      { ...scenarios['bad-deploy'], repairBudget: null, slots: { kind: 'lanes', first: 99, repair: 99 } },
      1,
    );
    const during = line(blind, 15);
    expect(during?.repairs).toBeGreaterThan(1.9 * (during?.primaries ?? 0));
  });

  it('when it is over, then documents verify as before', () => {
    const share = (minutes: number) =>
      (line(result, minutes)?.verified ?? 0) / (line(result, minutes)?.arrived ?? 1);
    expect(share(10)).toBe(0);
    expect(share(20)).toBeGreaterThan(0.9);
    expect(line(result, 25)?.permitsDenied).toBe(0);
  });
});

describe('given a provider that answers no call for five minutes', () => {
  it('when runs have no patience, then what came meanwhile is dead letters, attempts without a reply, none for a person', () => {
    const result = simulate(scenarios.outage, 1);
    const lost = count(result.reasons, 'provider_unavailable');
    expect(lost).toBeGreaterThan(500);
    expect(count(result.routes, 'dead_letter')).toBe(lost);
    // Three calls each, except where one call was enough to reach beyond the outage.
    expect(result.calls.failed).toBeGreaterThanOrEqual(3 * lost);
    // All made a first attempt: those whose calls failed are no smaller population to be better in.
    expect(result.yield[0]?.reached).toBe(result.documents);
    // A lost document was never read, or its repair met the outage.
    const read = result.calls.primaries;
    expect(read).toBeGreaterThanOrEqual(result.documents - lost);
    expect(read).toBeLessThan(result.documents - lost + 20);
  });

  it('when they have ten minutes of patience, then all of it is waited out', () => {
    const patient = withPolicy(scenarios.outage, {
      deadlineMs: 20 * 60_000,
      outage: { patienceMs: 10 * 60_000, pauseMs: 30_000 },
    });
    const result = simulate({ ...patient, repairBudget: null }, 1);
    expect(count(result.reasons, 'provider_unavailable')).toBe(0);
    expect(result.yield[0]?.reached).toBe(result.documents);
  });
});

describe('given a batch with too small a budget', () => {
  it('when it is projected above it, then the cap is lowered for the rest, and it ends just below', () => {
    const { batchTokens: budget } = scenarios['batch-over-budget'];
    const result = simulate(scenarios['batch-over-budget'], 1);
    expect(result).toMatchObject({ documents: 4_000, open: 0, cap: 2 });
    expect(result.tokens).toBeGreaterThan(0.95 * budget);
    expect(result.tokens).toBeLessThanOrEqual(budget);
    const unlimited = simulate({ ...scenarios['batch-over-budget'], batchTokens: null }, 1);
    expect(unlimited.tokens).toBeGreaterThan(budget);
    expect(unlimited.cap).toBe(3);
  });

  it('when its budget is gone, then the rest ends without a call, counted', () => {
    const result = simulate({ ...scenarios['batch-over-budget'], batchTokens: 1_000_000 }, 1);
    const refused = count(result.reasons, 'batch_budget');
    expect(result.cap).toBe(0);
    expect(refused).toBeGreaterThan(3_500);
    expect(result.calls.primaries).toBe(4_000 - refused);
    // One attempt per document in flight is the most it can overrun.
    expect(result.tokens).toBeLessThan(1_000_000 + 50 * 4_200);
  });
});

describe('given a scenario that cannot be simulated', () => {
  it.each([
    [{ documents: 1.5 }, 'documents must be a whole number, 0 or more.'],
    [{ slots: { kind: 'pool', pool: -1 } }, 'slots must be whole numbers.'],
    [{ documents: 1e11 }, 'documents must be at most 20,000,000.'],
    [{ stopAt: -1 }, 'No instant may lie before the beginning.'],
    [{ planted: [{ kind: 'hard', at: -1 }] }, 'No instant may lie before the beginning.'],
    [{ kinds: [{ ...kind, pass: [2] }] }, 'Every pass must be a chance between 0 and 1.'],
    [
      { incidents: [{ kind: 'outage', from: 5, to: 1 }] },
      'Every incident must begin at 0 or later, and not end before that.',
    ],
    [
      { repairBudget: { share: -1, floor: 0, windowMs: 1 } },
      'repairBudget needs a share and a floor of 0 or more, and a window of at least 1 ms.',
    ],
    [{ arrivals: { kind: 'window', inFlight: 1e9 } }, 'inFlight must be at most 100,000.'],
    [{ kinds: [] }, 'At least one kind must have a weight above 0.'],
    [{ planted: [{ kind: 'nobody', at: 0 }] }, 'Every planted document must be of a kind that is there.'],
    [{ lineMs: 0 }, 'lineMs must be at least 1000.'],
    [
      { kinds: [{ ...kind, pass: [] }] },
      'kind "at once" needs pass, medianMs, answers and fails, and no number below 0.',
    ],
    [
      { kinds: [{ ...kind, answers: [] }] },
      'kind "at once" needs pass, medianMs, answers and fails, and no number below 0.',
    ],
    [
      { kinds: [{ ...kind, fails: [] }] },
      'kind "at once" needs pass, medianMs, answers and fails, and no number below 0.',
    ],
    [
      { kinds: [{ ...kind, medianMs: [-1] }] },
      'kind "at once" needs pass, medianMs, answers and fails, and no number below 0.',
    ],
    [
      { arrivals: { kind: 'random', phases: [{ durationMs: 0, perSecond: 1 }] } },
      'Every phase must last at least 1 ms.',
    ],
    [{ arrivals: { kind: 'window', inFlight: 0 } }, 'inFlight must be at least 1.'],
    [{ arrivals: { kind: 'random', phases: [] } }, 'At least one phase must bring documents.'],
  ] satisfies [Partial<Scenario>, string][])(
    'when it says %j, then it is said what is wrong',
    (over, sentence) => {
      expect(() => simulate({ ...small, ...over }, 1)).toThrow(new RangeError(sentence));
    },
  );

  it('when it is one of the ready-made ones, then nothing is', () => {
    for (const scenario of Object.values(scenarios)) expect(scenarioFault(scenario)).toBeNull();
  });
});

it('while a million would take a while, it is told how many have come, and told or not the result is the same', () => {
  const world = { ...scenarios['month-end'], documents: 2_500 };
  const told: number[] = [];
  expect(simulate(world, 1, (arrived) => told.push(arrived))).toEqual(simulate(world, 1));
  expect(told).toEqual([1_000, 2_000]);
});
