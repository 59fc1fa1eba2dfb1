import { describe, expect, it } from 'vitest';
import { netOfAudit, shareOf } from '../../src/reports/estimated-share.js';
import { LatencyMeasure } from '../../src/reports/latency-report.js';
import { measured } from '../../src/reports/measure.js';
import { RecoveryMeasure } from '../../src/reports/recovery-report.js';
import { RepairShareMeasure } from '../../src/reports/repair-share-report.js';
import type { AuditTally, DocumentRow } from '../../src/reports/rows.js';
import { YieldMeasure } from '../../src/reports/yield-report.js';
import { attempt, timed as document, documentOf, hundred, times, unanswered } from './documents.js';

const yieldReport = (documents: readonly DocumentRow[], audits: readonly AuditTally[], at: number) =>
  measured(new YieldMeasure(), documents).report(audits, at);
const recoveryReport = (documents: readonly DocumentRow[], audits: readonly AuditTally[] = []) =>
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
    const curve = yieldReport(hundred, [], now);
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
    const curve = yieldReport(hundred, [], now);
    const ended = hundred.filter(({ endedAt }) => endedAt !== null).length;
    expect(curve[2]?.cumulative.share).toBe(0.92);
    expect(ended).toBe(97);
    expect(92 / ended).toBeGreaterThan(0.948);
  });

  it('when a cap is looked at, then its p99 is of all documents as they would have ended under it, open ones included', () => {
    const curve = yieldReport(hundred, [], now);
    // With one attempt all end after 1 s. With two, 20 end after 3 s. With three, the open ones have not: unknown.
    expect(curve.map(({ p99Ms }) => p99Ms)).toEqual([1_000, 3_000, null]);
    const closed = hundred.filter(({ endedAt }) => endedAt !== null);
    const known = yieldReport(closed, [], now);
    expect(known.map(({ p99Ms }) => p99Ms)).toEqual([1_000, 3_000, 6_000]);
    expect(known.map(({ addedP99Ms }) => addedP99Ms)).toEqual([0, 2_000, 5_000]);
  });

  it('when the records were audited, then what was found wrong is not counted as yield', () => {
    const audits = [
      { decided: 100, defects: 5 },
      { decided: 20, defects: 4 },
    ];
    const [first, second, third] = yieldReport(hundred, audits, now);
    expect(first?.net.share).toBeCloseTo(0.8 * 0.95, 12);
    expect(second?.net.share).toBeCloseTo(0.9 * (1 - 9 / 120), 12);
    expect(third?.net.share).toBeCloseTo(0.92 * (1 - 9 / 120), 12);
    const { low, high } = second?.net.interval ?? { low: 0, high: 0 };
    // Of the records of the second attempt alone a fifth was wrong: c(2) and its rescues are worth that much less.
    expect(second?.netConditional.share).toBeCloseTo(0.5 * 0.8, 12);
    expect(second?.rescuedPerThousand).toBe(100);
    expect(second?.netRescuedPerThousand).toBeCloseTo(80, 9);
    expect(first?.netRescuedPerThousand).toBe(0);
    expect(third?.netRescuedPerThousand).toBeNull();
    expect(low).toBeCloseTo(shareOf(90, 100).interval.low * (1 - shareOf(9, 120).interval.high), 12);
    expect(high).toBeLessThan(shareOf(90, 100).interval.high);
  });

  it('when nothing was audited, then nobody knows: no net share, and an interval down to nothing', () => {
    expect(netOfAudit(90, 100, { decided: 0, defects: 0 })).toEqual({
      share: null,
      interval: { low: 0, high: shareOf(90, 100).interval.high },
    });
    expect(netOfAudit(0, 0, { decided: 10, defects: 1 }).share).toBeNull();
    expect(yieldReport([], [], now)).toEqual([]);
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

  it('when repaired records were audited, then what was wrong was not recovered: 9.6 of 20 by attempt, not 12', () => {
    const audits = [
      { decided: 100, defects: 50 },
      { decided: 8, defects: 1 },
      { decided: 2, defects: 1 },
    ];
    const net = recoveryReport(hundred, audits);
    expect(net.net.share).toBeCloseTo((12 / 20) * (1 - 2 / 10), 12);
    expect(net.byAttempt.map((each) => each.net.share)).toEqual([0.5 * (1 - 1 / 8), 0.1 * 0.5]);
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
