import { describe, expect, it } from 'vitest';
import { CompletenessMeasure } from '../../src/reports/completeness-report.js';
import { EstimateMeasure } from '../../src/reports/estimate-report.js';
import { shareOf } from '../../src/reports/estimated-share.js';
import { LanesMeasure } from '../../src/reports/lanes-report.js';
import { measured } from '../../src/reports/measure.js';
import { PeaksMeasure } from '../../src/reports/peaks-report.js';
import { PlanMeasure } from '../../src/reports/plan-figures.js';
import { Measuring } from '../../src/reports/report.js';
import type { DocumentRow } from '../../src/reports/rows.js';
import { TallyMeasure } from '../../src/reports/tally-report.js';
import { YieldMeasure } from '../../src/reports/yield-report.js';
import { attempt, documentOf, hundred, timed, times, unanswered } from './documents.js';

const whole = { accepted: true };
const lostRows = { failureClass: 'constraint', rules: ['line-count'] } as const;

describe('given candidates that lost rows', () => {
  const rules = (specId: string) => new Set(specId === 'claim' ? ['line-count', 'sum'] : []);
  const documents = [
    ...times(6, () => documentOf([attempt(whole)])),
    // Restored by a repair; kept out; one that broke another rule; one whose last candidate had all its rows.
    documentOf([attempt(lostRows), attempt(whole)]),
    documentOf([attempt(lostRows)]),
    documentOf([attempt({ rules: ['dates'] })]),
    documentOf([attempt(lostRows), attempt({ rules: ['dates'] })]),
    // Cut off: never a candidate. A schema problem: nobody counted its rows.
    documentOf([
      attempt({ failureClass: 'truncated' }),
      attempt({ failureClass: 'schema', rules: ['schema'] }),
    ]),
    documentOf([attempt(whole)], { specId: 'letter' }),
    documentOf([attempt(lostRows)], { endedAt: null }),
  ];
  const report = measured(new CompletenessMeasure(rules), documents).report();

  it('when completeness is reported, then candidates are counted that were compared: 9 of 13 are complete', () => {
    // 6 + 2 + 1 + 1 + 2 + 1 = 13 whole candidates of claims, four of them without some of their rows.
    expect(report).toMatchObject({ compared: 13, incomplete: 4, complete: shareOf(9, 13) });
  });

  it('when what parsed is counted instead, then all 14 look complete: lost rows leave no trace in what is well-formed', () => {
    expect(report.wellFormed).toBe(14);
    expect(report.complete.share).toBeLessThan(0.7);
  });

  it('when documents are counted, then what was restored, kept out, cut off and never compared stand apart', () => {
    expect(report).toMatchObject({
      ...{ verifiedCompared: 7, verifiedUncompared: 1, restored: 1, keptOut: 1, cutOff: 1 },
    });
  });
});

describe('given deadlines', () => {
  const refusedWith = (leftMs: number, made: number) =>
    timed(
      0,
      times(made, () => 1_000),
      'exhausted',
      {
        ...{ reason: 'deadline', endedAt: made * 1_000, deadlineAt: made * 1_000 + leftMs },
      },
    );
  const documents: DocumentRow[] = [
    // Second attempts took 1, 2, 3 and 4 s.
    ...[1_000, 2_000, 3_000, 4_000].map((ms) => timed(0, [1_000, ms], 'verified')),
    refusedWith(2_500, 1),
    refusedWith(500, 1),
    documentOf([attempt()], { reason: 'deadline', endedAt: 60_000, unanswered: unanswered() }),
    timed(0, [1_000], 'exhausted', { reason: 'deadline', endedAt: 60_000 }),
    documentOf([], { reason: 'deadline', endedAt: 60_000, unanswered: unanswered({ failedCalls: 1 }) }),
    timed(0, [1_000], 'exhausted', { reason: 'refusal', endedAt: 2_000 }),
    timed(0, [1_000], 'open'),
  ];
  const report = measured(new EstimateMeasure(), documents).report();

  it('when estimates are judged, then a wasted attempt and an early refusal are different errors', () => {
    // 2.5 s would have been enough for two of the four second attempts, 0.5 s for none.
    expect(report).toMatchObject({
      wasted: 1,
      wastedTokens: 700,
      refused: 2,
      expectedEarly: 0.5,
      waitedAway: 2,
    });
  });

  it('when all that ended by their deadline are called errors, then three too many are', () => {
    const byReason = documents.filter(({ reason }) => reason === 'deadline').length;
    expect(byReason).toBe(5);
    expect(report.wasted + report.expectedEarly).toBe(1.5);
    expect(report.begun).toBe(4 * 2 + 2 + 2 + 1 + 1 + 1 + 1);
  });

  it('when an attempt of that number was never made, then the one before it is the best guess; without any, none', () => {
    const only = [timed(0, [1_000], 'verified'), refusedWith(1_500, 3)];
    expect(measured(new EstimateMeasure(), only).report().expectedEarly).toBe(1);
    const none = [refusedWith(1_500, 0)];
    expect(measured(new EstimateMeasure(), none).report()).toMatchObject({ refused: 1, expectedEarly: 0 });
  });
});

describe('given runs of every ending', () => {
  const report = measured(new TallyMeasure(), [
    ...hundred,
    documentOf([attempt({ failureClass: 'refusal', calls: 3, failedCalls: 2 })], {
      reason: 'refusal',
      route: 'dead_letter',
    }),
    documentOf([], {
      reason: 'provider_unavailable',
      route: 'dead_letter',
      unanswered: unanswered({ calls: 3, failedCalls: 3 }),
    }),
    documentOf([], { endedAt: null, unanswered: unanswered() }),
  ]).report();

  it('when they are counted, then runs, attempts and calls are three numbers, and none of them another', () => {
    expect(report).toMatchObject({ runs: 103, verified: 92, unverified: 7, open: 4 });
    // 80 + 10 x 2 + 7 x 3 + 3 x 2, then one each; the open one has a call under way, which is not unanswered yet.
    expect(report).toMatchObject({
      attempts: 127 + 3,
      unanswered: 1,
      calls: 127 + 3 + 3 + 1,
      failedCalls: 5,
    });
  });

  it('when reasons and classes are counted, then reasons by run and classes by attempt, the most frequent first', () => {
    expect(report.reasons).toEqual([
      { reason: 'attempt_cap', runs: 5 },
      { reason: 'provider_unavailable', runs: 1 },
      { reason: 'refusal', runs: 1 },
    ]);
    expect(report.routes).toEqual([{ route: 'dead_letter', runs: 2 }]);
    expect(report.classes).toEqual([
      { failureClass: 'constraint', attempts: 127 - 92 },
      { failureClass: 'refusal', attempts: 1 },
    ]);
  });
});

describe('given calls over time', () => {
  it('when lanes are drawn, then a call keeps a slot busy for as much of each stretch as it took', () => {
    const [first, repair] = measured(new LanesMeasure(1_000, 9_000), [
      timed(500, [1_000, 2_000], 'verified'),
      timed(0, [1_000], 'verified'),
    ]).report();
    // 0.5 of the second from 0, 0.5 of the one from 1,000; the other call takes all of the first.
    expect(first?.lines.map(({ busy }) => busy)).toEqual([1.5, 0.5, 0, 0]);
    expect(repair?.lines.map(({ from, busy }) => [from, busy])).toEqual([
      [0, 0],
      [1_000, 0.5],
      [2_000, 1],
      [3_000, 0.5],
    ]);
  });

  it('when an attempt was called again after a pause, then the pause held no slot', () => {
    const paused = attempt({ accepted: true, durationMs: 4_000, busyMs: 1_000 });
    const [first] = measured(new LanesMeasure(4_000, 0), [documentOf([paused])]).report();
    expect(first?.lines).toEqual([{ from: 0, busy: 0.25 }]);
    // By its first and last instant it would have been four times as much.
    expect((first?.lines[0]?.busy ?? 0) * 4_000).toBe(paused.busyMs);
    expect(
      measured(new LanesMeasure(4_000, 0), [])
        .report()
        .map(({ lines }) => lines),
    ).toEqual([[], []]);
  });
});

describe('given calls at the same time', () => {
  const peaks = (documents: readonly DocumentRow[]) =>
    measured(new PeaksMeasure(90_000), documents)
      .report()
      .map(({ lane, peak }) => [lane, peak]);
  const burst = times(5, () => timed(0, [100, 300], 'verified'));

  it('when five are on the wire for a tenth of a second, then the peak is five, where a mean says an eighth', () => {
    expect(peaks(burst)).toEqual([
      ['first', 5],
      ['repair', 5],
    ]);
    // More that is run later takes nothing away from it.
    const later = times(3, (index) => timed(50_000 + index, [1], 'verified'));
    expect(peaks([...later, ...burst])).toEqual(peaks(burst));
    expect(peaks([])).toEqual([
      ['first', 0],
      ['repair', 0],
    ]);
  });

  it('when one ends as the next begins, or an attempt paused between its calls, then they share no instant', () => {
    const paused = attempt({
      ...{ accepted: true, durationMs: 4_000, busyMs: 2_000, calls: 2 },
      onWire: [
        [0, 1_000],
        [3_000, 4_000],
      ],
    });
    const between = timed(1_000, [2_000], 'verified');
    expect(peaks([documentOf([paused]), between])[0]).toEqual(['first', 1]);
    expect(peaks([documentOf([paused]), between, timed(999, [1], 'verified')])[0]).toEqual(['first', 2]);
  });

  it('when nobody saw a call end, then it is there until its run ended, its deadline or now', () => {
    const cut = (endedAt: number | null) =>
      documentOf([], { endedAt, unanswered: unanswered({ busyMs: 0, onWireSince: 0 }) });
    const at = (startedAt: number) => timed(startedAt, [1], 'verified');
    expect(peaks([cut(9_000), at(8_999)])[0]).toEqual(['first', 2]);
    expect(peaks([cut(9_000), at(9_000)])[0]).toEqual(['first', 1]);
    expect(peaks([cut(null), at(59_999)])[0]).toEqual(['first', 2]);
    expect(peaks([cut(null), at(60_000)])[0]).toEqual(['first', 1]);
  });
});

describe('given documents to plan with', () => {
  const audits = [
    { decided: 10, defects: 1 },
    { decided: 0, defects: 0 },
  ];
  const curve = measured(new YieldMeasure(), hundred).report(new Map([['claim', audits]]), 60_000);
  const figures = measured(new PlanMeasure(), hundred).figures(curve);

  it('when figures are fitted, then shares are of all documents, durations and prices of those that made the attempt', () => {
    expect(figures?.attempts).toEqual([
      {
        ...{
          cumulativePass: 0.8,
          reached: 1,
          meanMs: 1_000,
          p99Ms: 1_000,
          wrongShare: expect.closeTo(0.1, 12),
          tokens: 100,
        },
        cost: { amount: '0.010000', currency: 'EUR' },
      },
      {
        ...{ cumulativePass: 0.9, reached: 0.2, meanMs: 2_000, p99Ms: 3_000, wrongShare: null, tokens: 200 },
        cost: { amount: '0.010000', currency: 'EUR' },
      },
      {
        ...{ cumulativePass: 0.92, reached: 0.07, meanMs: 3_000, p99Ms: null, wrongShare: null, tokens: 300 },
        cost: { amount: '0.010000', currency: 'EUR' },
      },
    ]);
  });

  it('when arrivals cluster, then the peak is that of the busiest minute, where a mean over the time would say a sixth', () => {
    const busy = [
      ...times(120, (index) => timed(index * 500, [1], 'verified')),
      ...times(30, (index) => timed(60_000 + index * 8_000, [1], 'verified')),
    ];
    const made = measured(new PlanMeasure(), busy).figures(
      measured(new YieldMeasure(), busy).report(new Map(), 0),
    );
    expect(made?.peakPerSecond).toBe(2);
    expect(150 / 292).toBeCloseTo(0.51, 2);
    // Less than a day is a day: what is not known to repeat is not multiplied.
    expect(made?.documentsPerDay).toBe(150);
    const long = [timed(0, [1], 'verified'), timed(4 * 86_400_000, [1], 'verified')];
    const slow = measured(new PlanMeasure(), long).figures(
      measured(new YieldMeasure(), long).report(new Map(), 0),
    );
    expect(slow?.documentsPerDay).toBe(0.5);
  });

  it('when attempts were paid in two currencies, then there is no price; without attempts there is no plan', () => {
    const mixed = [
      documentOf([attempt(whole)]),
      documentOf([attempt({ ...whole, cost: { amount: '1', currency: 'USD' } })]),
    ];
    const made = measured(new PlanMeasure(), mixed).figures(
      measured(new YieldMeasure(), mixed).report(new Map(), 0),
    );
    expect(made?.attempts[0]?.cost).toBeNull();
    expect(new PlanMeasure().figures([])).toBeNull();
  });
});

describe('given documents of two specs', () => {
  const documents = [
    ...hundred,
    ...hundred.map((document) => ({ ...document, specId: 'invoice', attemptCap: 5 })),
  ];
  const report = measured(
    new Measuring({
      now: 60_000,
      audits: new Map([
        ['claim', [{ decided: 20, defects: 1 }]],
        ['invoice', [{ decided: 10, defects: 1 }]],
      ]),
      budgetOf: (specId) => (specId === 'claim' ? { share: 0.4, floor: 10, windowMs: 300_000 } : null),
      rowRules: () => new Set(),
      latencyLineMs: 3_600_000,
      lanesLineMs: 1_000,
    }),
    documents,
  ).report();

  it('when all is measured at once, then each spec has its own repair budget, and the largest cap is told', () => {
    expect(
      report.repairs.map(({ specId, budget, repairs }) => [specId, budget?.share ?? null, repairs]),
    ).toEqual([
      ['claim', 0.4, 27],
      ['invoice', null, 27],
    ]);
    expect(report).toMatchObject({
      attemptCap: 5,
      deadlineMs: 60_000,
      tally: { runs: 200 },
      audits: { decided: 30, defects: 2 },
    });
    expect(report.audits.byAttempt).toEqual([
      { attempt: 1, decided: 30, defects: 2, defectRate: shareOf(2, 30) },
    ]);
  });
});
