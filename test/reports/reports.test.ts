import { describe, expect, it } from 'vitest';
import { shareOf } from '../../src/reports/estimated-share.js';
import { LatencyMeasure } from '../../src/reports/latency-report.js';
import { measured } from '../../src/reports/measure.js';
import { RecoveryMeasure } from '../../src/reports/recovery-report.js';
import { RepairShareMeasure } from '../../src/reports/repair-share-report.js';
import type { AuditsBySpec, AuditTally, DocumentRow } from '../../src/reports/rows.js';
import { YieldMeasure } from '../../src/reports/yield-report.js';
import { attempt, timed as document, documentOf, hundred, times, unanswered } from './documents.js';

/** Verdicts on the claims that attempt 1, 2, ... verified. */
const ofClaims = (...tallies: AuditTally[]): AuditsBySpec => new Map([['claim', tallies]]);
const none: AuditsBySpec = new Map();
const nobody = { decided: 0, defects: 0 };
const yieldReport = (documents: readonly DocumentRow[], audits: AuditsBySpec, at = now) =>
  measured(new YieldMeasure(), documents).report(audits, at);
const recoveryReport = (documents: readonly DocumentRow[], audits: AuditsBySpec = none) =>
  measured(new RecoveryMeasure(), documents).report(audits);
const latencyReport = (documents: readonly DocumentRow[], at: number, lineMs: number) =>
  measured(new LatencyMeasure(), documents).report(at, lineMs);
const repairShareReport = (
  documents: readonly DocumentRow[],
  budget: Parameters<RepairShareMeasure['report']>[0],
) => measured(new RepairShareMeasure(), documents).report(budget);

const now = 60_000;

describe('given a hundred documents', () => {
  it('when their yield curve is drawn, then its columns are those worked out by hand', () => {
    const curve = yieldReport(hundred, none);
    expect(curve.map(({ reached, passed }) => [reached, passed])).toEqual([
      [100, 80],
      [20, 10],
      [7, 2],
    ]);
    expect(curve.map(({ conditional }) => conditional.share)).toEqual([0.8, 0.5, 2 / 7]);
    expect(curve.map(({ cumulative }) => cumulative.share)).toEqual([0.8, 0.9, 0.92]);
    expect(curve.map(({ rescuedPerThousand }) => rescuedPerThousand)).toEqual([0, 100, 20]);
    // Wilson for 80 of 100: (0.8 + 1.9208/100 -+ 1.96 sqrt(0.16/100 + 0.9604/10000)) / 1.038416.
    expect(curve[0]?.cumulative.interval.low).toBeCloseTo(0.7112, 4);
    expect(curve[0]?.cumulative.interval.high).toBeCloseTo(0.8666, 4);
    expect(curve[2]?.conditional.interval.low).toBeCloseTo(0.0822, 4);
  });

  it('when the last column is read, then the share of those that ended would flatter: 92 of 97 instead of 92 of 100', () => {
    const curve = yieldReport(hundred, none);
    const ended = hundred.filter(({ endedAt }) => endedAt !== null).length;
    expect(curve[2]?.cumulative.share).toBe(0.92);
    expect(ended).toBe(97);
    expect(92 / ended).toBeGreaterThan(0.948);
  });

  it('when a cap is looked at, then its p99 is of all documents as they would have ended under it, open ones included', () => {
    const curve = yieldReport(hundred, none);
    // With one attempt all end after 1 s. With two, 20 end after 3 s. With three, the open ones have not: unknown.
    expect(curve.map(({ p99Ms }) => p99Ms)).toEqual([1_000, 3_000, null]);
    const closed = hundred.filter(({ endedAt }) => endedAt !== null);
    const known = yieldReport(closed, none);
    expect(known.map(({ p99Ms }) => p99Ms)).toEqual([1_000, 3_000, 6_000]);
    expect(known.map(({ addedP99Ms }) => addedP99Ms)).toEqual([0, 2_000, 5_000]);
  });

  it('when the records were audited, then what was found wrong is not counted as yield', () => {
    const audits = ofClaims({ decided: 100, defects: 5 }, { decided: 20, defects: 4 });
    const [first, second, third] = yieldReport(hundred, audits);
    // 95 % of 80, and 80 % of 10: the second rescues 80 per thousand, and the two columns close.
    expect(first?.net.share).toBeCloseTo(0.76, 12);
    expect(second?.net.share).toBeCloseTo(0.84, 12);
    expect(1_000 * ((second?.net.share ?? 0) - (first?.net.share ?? 0))).toBeCloseTo(80, 9);
    // Pooled, 9 of 120 would be wrong whatever attempt verified them: a rescue of 72.5 beside one of 80.
    expect(0.9 * (1 - 9 / 120)).toBeCloseTo(0.8325, 12);
    // Nobody looked at the two records of the third: they may be all wrong, or all right.
    expect(third?.net.share).toBeNull();
    const { low, high } = second?.net.interval ?? { low: 0, high: 0 };
    // Of the records of the second attempt alone a fifth was wrong: c(2) and its rescues are worth that much less.
    expect(second?.netConditional.share).toBeCloseTo(0.5 * 0.8, 12);
    expect(second?.rescuedPerThousand).toBe(100);
    expect(second?.netRescuedPerThousand).toBeCloseTo(80, 9);
    expect(first?.netRescuedPerThousand).toBe(0);
    expect(third?.netRescuedPerThousand).toBeNull();
    // Square and add: 80 and 10 documents, each as far as its own bound of right records is from 0.95 and 0.8.
    const [ofFirst, ofSecond] = [shareOf(95, 100).interval, shareOf(16, 20).interval];
    const below = Math.hypot(80 * (0.95 - ofFirst.low), 10 * (0.8 - ofSecond.low));
    const above = Math.hypot(80 * (ofFirst.high - 0.95), 10 * (ofSecond.high - 0.8));
    const ofAll = shareOf(90, 100).interval;
    expect(low).toBeCloseTo((ofAll.low * (84 - below)) / 90, 12);
    expect(high).toBeCloseTo((ofAll.high * (84 + above)) / 90, 12);
    expect(third?.net.interval.low).toBeCloseTo((shareOf(92, 100).interval.low * (84 - below)) / 92, 12);
    expect(third?.net.interval.high).toBeCloseTo(
      (shareOf(92, 100).interval.high * (84 + above + 2)) / 92,
      12,
    );
  });

  it('when nothing was audited, then nobody knows: no net share, and an interval down to nothing', () => {
    expect(yieldReport(hundred, none)[1]?.net).toEqual({
      share: null,
      interval: { low: 0, high: shareOf(90, 100).interval.high },
    });
    expect(yieldReport([], none)).toEqual([]);
    // Where nothing passed, nothing can be wrong.
    const [exhausted] = yieldReport([document(0, [1], 'exhausted')], none);
    expect(exhausted?.net).toEqual(shareOf(0, 1));
    expect(yieldReport([document(0, [], 'open', { unanswered: unanswered() })], none)).toEqual([]);
  });
});

describe('given audits that do not mirror what each attempt verified', () => {
  const verified = (attempts: number, documents: number, changes: Partial<DocumentRow> = {}) =>
    times(documents, () =>
      document(
        0,
        times(attempts, () => 1_000),
        'verified',
        changes,
      ),
    );

  it('when as many records were checked of a tenth as of the rest, then each counts for its own: 95 %, not 75', () => {
    const documents = [...verified(1, 900), ...verified(2, 100)];
    const audits = ofClaims({ decided: 100, defects: 0 }, { decided: 100, defects: 50 });
    const [first, second] = yieldReport(documents, audits);
    expect(first?.net.share).toBeCloseTo(0.9, 12);
    expect(second?.net.share).toBeCloseTo(0.95, 12);
    expect(second?.netRescuedPerThousand).toBeCloseTo(50, 9);
    // Pooled, a quarter of all that were checked were wrong.
    expect(1 - 50 / 200).toBe(0.75);
    expect(recoveryReport(documents, audits).net.share).toBeCloseTo(0.5, 12);
  });

  it('when only three records of the second attempt were checked, all wrong, then the rest is unknown, not zero', () => {
    const documents = [
      ...verified(1, 35),
      ...verified(2, 3),
      ...times(10, () => document(0, [1], 'exhausted')),
    ];
    const [first, second] = yieldReport(documents, ofClaims(nobody, { decided: 3, defects: 3 }));
    expect(first?.net.share).toBeNull();
    expect(second?.net.share).toBeNull();
    expect(second?.netConditional.share).toBe(0);
    expect(second?.netRescuedPerThousand).toBe(0);
    // All of the 35 may be right.
    expect(second?.net.interval.high).toBeGreaterThan(35 / 48);
    expect(second?.net.interval.low).toBe(0);
  });

  it('when records of one spec were checked, then they say nothing of another: unknown until those are, too', () => {
    const documents = [...verified(1, 60), ...verified(1, 40, { specId: 'letter' })];
    const claims = [{ decided: 10, defects: 5 }];
    expect(yieldReport(documents, ofClaims(...claims))[0]?.net.share).toBeNull();
    const both = new Map([
      ['claim', claims],
      ['letter', [{ decided: 90, defects: 0 }]],
      ['invoice', [{ decided: 9, defects: 9 }]],
    ]);
    // Half of 60, and all 40; pooled over both it would be 95 %.
    expect(yieldReport(documents, both)[0]?.net.share).toBeCloseTo(0.7, 12);
    expect(1 - 5 / 100).toBe(0.95);
  });
});

describe('given documents that failed their first call', () => {
  const report = recoveryReport(hundred);

  it('when recovery is measured, then by document: 12 of 20, not 12 of the 27 repairs that were made', () => {
    expect(report).toMatchObject({ failedFirst: 20, recovered: 12, repairs: 27, recovery: { share: 0.6 } });
    expect(report.recovered / report.repairs).toBeCloseTo(0.444, 3);
    expect(report.byAttempt.map(({ attempt, recovered }) => [attempt, recovered])).toEqual([
      [2, 10],
      [3, 2],
    ]);
    expect(report.byAttempt.map(({ recovery }) => recovery.share)).toEqual([0.5, 0.1]);
    expect(report.byAttempt.map(({ ofRecovered }) => ofRecovered)).toEqual([10 / 12, 2 / 12]);
  });

  it('when its price is asked, then all repairs are paid by those recovered: 508 tokens each, not the 226 of an attempt', () => {
    // 20 second attempts of 200 tokens and 7 third ones of 300.
    expect(report.repairTokens).toBe(20 * 200 + 7 * 300);
    expect(report.tokensPerRecovered).toBeCloseTo(6_100 / 12, 9);
    expect(report.repairTokens / report.repairs).toBeCloseTo(226, 0);
    expect(report.repairCost).toEqual([{ amount: '0.27', currency: 'EUR' }]);
    expect(report.costPerRecovered).toEqual([{ amount: '0.022500', currency: 'EUR' }]);
  });

  it('when none was recovered, then there is no price for one', () => {
    const none = recoveryReport([document(0, [1, 1], 'exhausted'), documentOf([], { endedAt: 5 })]);
    expect(none).toMatchObject({
      failedFirst: 1,
      recovered: 0,
      tokensPerRecovered: null,
      costPerRecovered: null,
      byAttempt: [{ attempt: 2, ofRecovered: 0 }],
    });
    expect(recoveryReport([])).toMatchObject({ failedFirst: 0, recovery: { share: null }, byAttempt: [] });
  });

  it('when a repair brought no reply, then it is paid all the same', () => {
    const cut = documentOf([attempt({ tokens: 100 })], { reason: 'deadline', unanswered: unanswered() });
    const saved = documentOf([attempt(), attempt({ accepted: true, startedAt: 1_000 })]);
    expect(recoveryReport([cut, saved])).toMatchObject({
      ...{ failedFirst: 2, recovered: 1, repairs: 2, repairTokens: 800, tokensPerRecovered: 800 },
      repairCost: [{ amount: '0.08', currency: 'EUR' }],
      // Two first attempts and two repairs, of one verified document.
      ...{
        tokens: 1_000,
        tokensPerVerified: 1_000,
        costPerVerified: [{ amount: '0.100000', currency: 'EUR' }],
      },
    });
  });

  it('when repaired records were audited, then what was wrong was not recovered: 9.75 of 20, not 12', () => {
    const repairs = [
      { decided: 8, defects: 1 },
      { decided: 2, defects: 1 },
    ];
    const net = recoveryReport(hundred, ofClaims({ decided: 100, defects: 50 }, ...repairs));
    // 7 of 8 of the ten, and half of the two; pooled it would be 8 of 10 of all twelve, 9.6.
    expect(net.net.share).toBeCloseTo((10 * (7 / 8) + 2 * (1 / 2)) / 20, 12);
    expect(net.byAttempt.map(({ net: { share } }) => share)).toEqual([
      expect.closeTo(0.5 * (7 / 8), 12),
      expect.closeTo(0.1 * 0.5, 12),
    ]);
    // Without a look at the third attempt nobody knows what all twelve are worth.
    expect(recoveryReport(hundred, ofClaims(nobody, repairs[0] ?? nobody)).net.share).toBeNull();
    expect(report.net.share).toBeNull();
  });
});

describe('given documents of two hours', () => {
  const hour = 3_600_000;
  const quiet = times(99, () => document(100, [1_000], 'verified'));
  const busy = times(99, (index) => document(hour + 5, [index < 90 ? 1_000 : 9_000], 'verified'));

  it('when they are reported by hour, then the hour in which the slow ones cluster shows what the whole hides', () => {
    const { all, lines } = latencyReport([...busy, ...quiet], 3 * hour, hour);
    expect(lines.map(({ from, p95Ms }) => [from, p95Ms])).toEqual([
      [0, 1_000],
      [hour, 9_000],
    ]);
    expect(all).toMatchObject({ ended: 198, open: 0, p95Ms: 1_000 });
  });

  it('when one is open for hours, then it is counted, and the p99 is unknown instead of the largest that ended', () => {
    const hung = document(hour + 7, [1_000, 1_000], 'open');
    const { lines, openMs } = latencyReport([...busy, hung, document(hour, [1], 'open')], 3 * hour, hour);
    expect(openMs).toEqual([2 * hour, 2 * hour - 7]);
    expect(lines).toEqual([{ from: hour, ended: 99, open: 2, p50Ms: 1_000, p95Ms: 9_000, p99Ms: null }]);
    expect(latencyReport(busy, 3 * hour, hour).all.p99Ms).toBe(9_000);
  });

  it('when there are none, then nothing is known', () => {
    expect(latencyReport([], 7, hour)).toEqual({
      lineMs: hour,
      all: { ended: 0, open: 0, p50Ms: null, p95Ms: null, p99Ms: null },
      lines: [],
      openMs: [],
    });
  });
});

describe('given repairs that cluster', () => {
  const budget = { share: 0.1, floor: 1, windowMs: 1_000 };
  // A hundred quiet documents over 100 s, and three within one second that are repaired twice each.
  const documents = [
    ...times(100, (index) => document(index * 1_000, [10], 'verified')),
    ...times(3, (index) => document(200_000 + index, [100, 100, 100], 'exhausted')),
  ];

  it('when their share is averaged, then it is within the budget, while one window was over it', () => {
    const report = repairShareReport(documents, budget);
    expect(report).toMatchObject({ primaries: 103, repairs: 6 });
    expect(report.share).toBeLessThan(0.1);
    expect(report.tightest).toEqual({ until: 200_202, primaries: 3, repairs: 6, allowed: 1 });
  });

  it('when the window has moved on, then calls before it no longer count', () => {
    const late = document(0, [5_000, 10, 10], 'exhausted');
    expect(repairShareReport([late], budget).tightest).toEqual({
      until: 5_010,
      primaries: 0,
      repairs: 2,
      allowed: 1,
    });
    expect(repairShareReport([document(0, [1], 'verified')], budget)).toEqual({
      ...{ primaries: 1, repairs: 0, share: 0, tightest: null, refused: 0 },
      windows: [{ until: 0, share: 0 }],
    });
    expect(repairShareReport([], budget)).toEqual({
      ...{ primaries: 0, repairs: 0, share: null, tightest: null, refused: 0, windows: [] },
    });
  });

  it('when it is drawn, then each window says its own share, the one without primary calls none', () => {
    const late = document(0, [5_000, 10], 'exhausted');
    const other = document(5_000, [10], 'verified');
    const { windows } = repairShareReport([late, other], budget);
    expect(windows).toEqual([
      ...[0, 1_000, 2_000, 3_000, 4_000].map((until) => ({ until, share: until === 0 ? 0 : null })),
      { until: 5_000, share: 1 },
    ]);
    expect(
      repairShareReport(
        times(9_000, (index) => document(index * 1_000, [1], 'verified')),
        budget,
      ).windows,
    ).toHaveLength(240);
  });

  it('when the budget ended a document, or a repair had no reply, then both are counted', () => {
    const refused = document(0, [10], 'exhausted', { reason: 'repair_budget' });
    const cut = document(0, [10], 'exhausted', {
      reason: 'deadline',
      unanswered: unanswered({ startedAt: 20 }),
    });
    const silent = documentOf([], { unanswered: unanswered() });
    expect(repairShareReport([refused, cut, silent], budget)).toMatchObject({
      primaries: 3,
      repairs: 1,
      refused: 1,
    });
  });
});
