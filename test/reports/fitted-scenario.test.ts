import { describe, expect, it } from 'vitest';
import { ScenarioMeasure } from '../../src/reports/fitted-scenario.js';
import { measured } from '../../src/reports/measure.js';
import type { DocumentRow } from '../../src/reports/rows.js';
import { scenarioFault } from '../../src/simulator/scenario.js';
import { scenarios } from '../../src/simulator/scenarios.js';
import { simulate } from '../../src/simulator/simulate.js';
import { attempt, documentOf, timed, times, unanswered } from './documents.js';

const world = {
  policy: scenarios.outage.policy,
  slots: { kind: 'lanes' as const, first: 14, repair: 8 },
  repairBudget: null,
};
const fitted = (documents: readonly DocumentRow[]) =>
  measured(new ScenarioMeasure(), documents).scenario(world);
const oneByOne = { kind: 'window' as const, inFlight: 1 };
const kindOf = (documents: readonly DocumentRow[], name: string) => {
  const found = fitted(documents)?.kinds.find((kind) => kind.name === name);
  if (found === undefined) throw new Error(`no kind ${name}`);
  return found;
};

describe('given stored runs', () => {
  it('when documents pass at once, then they are a kind that always passes, with their median and spread', () => {
    const documents = [1_000, 2_000, 4_000].map((ms) => timed(0, [ms], 'verified'));
    // Logarithms lie ln 2 below, at and above the median.
    expect(kindOf(documents, 'at once')).toMatchObject({
      weight: 3,
      pass: [1],
      medianMs: [2_000],
      answers: ['new'],
    });
    expect(kindOf(documents, 'at once').spread).toBeCloseTo(Math.sqrt((2 * Math.log(2) ** 2) / 3), 12);
    expect(kindOf(documents, 'at once')).toMatchObject({ inputTokens: 60, outputTokens: 40 });
  });

  it('when documents fail at first, then they pass later as often as those did, by the class of their first rejection', () => {
    const documents = [
      ...times(6, () => timed(0, [1_000, 3_000], 'verified')),
      ...times(3, () => timed(0, [1_000, 3_000, 5_000], 'verified')),
      timed(0, [1_000, 3_000, 5_000], 'exhausted', { route: 'fallback' }),
      documentOf([attempt({ failureClass: 'refusal' })], { reason: 'refusal' }),
    ];
    expect(kindOf(documents, 'constraint')).toMatchObject({
      ...{ weight: 10, pass: [0, 0.6, 0.75], medianMs: [1_000, 3_000, 5_000], spread: 0, templateShare: 1 },
      fails: [{ failureClass: 'constraint', weight: 10 + 4 + 1 }],
    });
    expect(kindOf(documents, 'refusal')).toMatchObject({
      weight: 1,
      pass: [0],
      fails: [{ failureClass: 'refusal', weight: 1 }],
    });
  });

  it('when replies were cut off, then the record needs more tokens than the ceilings that were too low', () => {
    const cut = (maxTokens: number, durationMs: number) =>
      attempt({ failureClass: 'truncated', maxTokens, durationMs, outputTokens: maxTokens });
    const once = documentOf([
      cut(1_500, 3_000),
      attempt({ accepted: true, maxTokens: 3_000, outputTokens: 2_100 }),
    ]);
    const never = documentOf([cut(1_500, 3_000), cut(3_000, 6_000), cut(4_000, 8_000)], {
      reason: 'token_ceiling',
    });
    expect(kindOf([once], 'truncated')).toMatchObject({ outputTokens: 2_100, pass: [0, 1] });
    // Twice the ceiling takes twice as long to reach: the median is that of a reply up to the first one.
    expect(kindOf([never], 'truncated, 3 times')).toMatchObject({
      outputTokens: 4_001,
      medianMs: [3_000, 3_000, 3_000],
    });
    const simulated = simulate(
      { ...(fitted([never]) ?? scenarios.outage), documents: 50, arrivals: oneByOne },
      1,
    );
    expect(simulated.reasons).toEqual([{ name: 'token_ceiling', documents: 50 }]);
  });

  it.each([
    ['no_progress', 2, 'constraint, same', ['same']],
    ['no_progress', 3, 'constraint, same, from attempt 2', ['new', 'same']],
    ['oscillation', 3, 'constraint, alternating', ['alternating']],
    ['oscillation', 4, 'constraint, alternating, from attempt 2', ['new', 'alternating']],
    ['oscillation', 5, 'constraint, alternating, from attempt 3', ['new', 'new', 'alternating']],
    ['contradiction', 2, 'constraint, contradicting', ['contradicting']],
    ['contradiction', 4, 'constraint, contradicting, from attempt 3', ['new', 'new', 'contradicting']],
    ['not_repairable', 1, 'constraint, unrepairable', ['unrepairable']],
    ['not_repairable', 2, 'constraint, unrepairable, from attempt 2', ['new', 'unrepairable']],
  ] as const)(
    'when runs stopped for %s after attempt %i, then so do simulated ones, neither earlier nor later',
    (reason, made, name, answers) => {
      const durations = times(made, () => 1_000);
      const documents = times(40, (index) => timed(index * 500, durations, 'exhausted', { reason }));
      expect(kindOf(documents, name)).toMatchObject({ answers, pass: times(made, () => 0) });
      const scenario = fitted(documents) ?? scenarios.outage;
      const simulated = simulate({ ...scenario, policy: { ...scenario.policy, attemptCap: 6 } }, 1);
      expect(simulated.reasons).toEqual([{ name: reason, documents: 40 }]);
      expect(simulated.yield.map(({ reached }) => reached)).toEqual(times(made, () => 40));
    },
  );

  it('when nothing of a first answer could be read, then the verdict beyond repair still comes with the second', () => {
    const documents = times(40, (index) =>
      documentOf(
        [attempt({ startedAt: index, failureClass: 'parse' }), attempt({ startedAt: index + 1_000 })],
        { startedAt: index, reason: 'not_repairable' },
      ),
    );
    const simulated = simulate(fitted(documents) ?? scenarios.outage, 1);
    expect(simulated.reasons).toEqual([{ name: 'not_repairable', documents: 40 }]);
    expect(simulated.yield.map(({ reached }) => reached)).toEqual([40, 40]);
  });

  it('when they arrived in bursts, then so do the simulated ones, stretch by stretch', () => {
    const arrivals = (instants: readonly number[]) =>
      fitted(instants.map((at) => timed(at, [10], 'verified')))?.arrivals;
    expect(arrivals([0, 100, 200, 2_500])).toEqual({
      kind: 'random',
      phases: [3, 0, 1].map((perSecond) => ({ durationMs: 1_000, perSecond })),
    });
    expect(arrivals([0, 1, 2, 180_000])).toMatchObject({
      phases: [{ durationMs: 60_000, perSecond: 0.05 }, {}, {}, {}],
    });
    expect(arrivals([0, 3 * 3_600_000])).toMatchObject({ phases: [{ durationMs: 3_600_000 }, {}, {}, {}] });
    const year = arrivals([0, 365 * 24 * 3_600_000]);
    expect(year?.kind === 'random' ? year.phases.length : 0).toBe(168);
  });

  it('when some never had a reply, then they are a kind that ends unread: 22 of 29 are verified, not 22 of 26', () => {
    const silent = documentOf([], { endedAt: 60_000, reason: 'provider_unavailable' });
    const documents = [
      ...times(22, (index) => timed(index * 1_000, [1_000], 'verified')),
      ...times(4, (index) => timed(index * 1_000, [1_000, 1_000], 'exhausted', { reason: 'no_progress' })),
      ...times(3, () => silent),
    ];
    const scenario = fitted(documents) ?? scenarios.outage;
    expect(scenario).toMatchObject({
      says: 'fitted from 29 stored runs, 3 of them without a reply',
      documents: 29,
    });
    expect(scenario.kinds.map(({ name, weight }) => [name, weight])).toEqual([
      ['at once', 22],
      ['constraint, same', 4],
      ['no reply', 3],
    ]);
    expect(scenarioFault(scenario)).toBeNull();
    const one = (name: string) =>
      simulate({ ...scenario, documents: 5, kinds: scenario.kinds.filter((kind) => kind.name === name) }, 1);
    expect(one('no reply')).toMatchObject({ verified: 0, reasons: [{ name: 'deadline', documents: 5 }] });
    expect(one('no reply').classes).toEqual([]);
    expect(one('at once')).toMatchObject({ verified: 5 });
    // An open one without a reply may become anything.
    const waiting = documentOf([], { endedAt: null, unanswered: unanswered() });
    expect(fitted([...documents, waiting])).toMatchObject({
      says: 'fitted from 29 of 30 stored runs, 3 of them without a reply',
      documents: 29,
    });
  });

  it('when nothing had a reply yet, then there is no world to fit', () => {
    expect(fitted([])).toBeNull();
    expect(fitted([documentOf([], { endedAt: null, unanswered: unanswered() })])).toBeNull();
    expect(fitted([documentOf([], { reason: 'deadline' })])).toBeNull();
  });

  it('when the fitted world is simulated, then yields, classes and endings are those that were stored', () => {
    const documents = [
      ...times(600, (index) => timed(index * 1_000, [1_000 + index], 'verified')),
      ...times(250, (index) => timed(index * 2_000, [1_000, 2_000 + index], 'verified')),
      ...times(100, (index) => timed(index * 5_000, [1_000, 2_000], 'exhausted', { reason: 'no_progress' })),
      ...times(50, (index) =>
        documentOf([attempt({ startedAt: index * 9_000, failureClass: 'refusal' })], { reason: 'refusal' }),
      ),
    ].sort((one, other) => one.startedAt - other.startedAt);
    const scenario = fitted(documents);
    if (scenario === null) throw new Error('nothing was fitted');
    expect(scenarioFault(scenario)).toBeNull();
    const { yield: curve, reasons } = simulate({ ...scenario, documents: 20_000 }, 1);
    const near = (part: number | undefined, whole: number | undefined, share: number) =>
      expect(Math.abs((part ?? 0) / (whole ?? 1) - share)).toBeLessThan(
        4 * Math.sqrt((share * (1 - share)) / (whole ?? 1)),
      );
    near(curve[0]?.passed, curve[0]?.reached, 0.6);
    near(curve[1]?.passed, curve[1]?.reached, 250 / 350);
    near(reasons.find(({ name }) => name === 'no_progress')?.documents, 20_000, 0.1);
    near(reasons.find(({ name }) => name === 'refusal')?.documents, 20_000, 0.05);
  });
});
