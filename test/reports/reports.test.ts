import { describe, expect, it } from 'vitest';
import { netOfAudit, shareOf } from '../../src/reports/estimated-share.js';
import { latencyReport } from '../../src/reports/latency-report.js';
import { recoveryReport } from '../../src/reports/recovery-report.js';
import { repairShareReport } from '../../src/reports/repair-share-report.js';
import type { DocumentRow } from '../../src/reports/rows.js';
import { yieldReport } from '../../src/reports/yield-report.js';

/** A document whose attempts take these ms each; the last one is accepted if `verified`. Open: it has not ended. */
function document(
  startedAt: number,
  durations: readonly number[],
  kind: 'verified' | 'exhausted' | 'open',
): DocumentRow {
  let at = startedAt;
  const attempts = durations.map((durationMs, index) => {
    const begun = at;
    at += durationMs;
    const accepted = kind === 'verified' && index === durations.length - 1;
    return {
      accepted,
      startedAt: begun,
      endedAt: at,
      tokens: 100 * (index + 1),
      cost: { amount: '0.01', currency: 'EUR' },
    };
  });
  return { startedAt, endedAt: kind === 'open' ? null : at, attempts };
}

const times = (count: number, make: (index: number) => DocumentRow) =>
  Array.from({ length: count }, (_, i) => make(i));

/** 100 documents: 80 at once, 10 on the second, 2 on the third attempt; 5 exhausted after three, 3 open after two. */
const hundred = [
  ...times(80, () => document(0, [1_000], 'verified')),
  ...times(10, () => document(0, [1_000, 2_000], 'verified')),
  ...times(2, () => document(0, [1_000, 2_000, 3_000], 'verified')),
  ...times(5, () => document(0, [1_000, 2_000, 3_000], 'exhausted')),
  ...times(3, () => document(0, [1_000, 2_000], 'open')),
];
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
    const none = recoveryReport([
      document(0, [1, 1], 'exhausted'),
      { startedAt: 0, endedAt: 5, attempts: [] },
    ]);
    expect(none).toMatchObject({
      failedFirst: 1,
      recovered: 0,
      tokensPerRecovered: null,
      costPerRecovered: null,
      byAttempt: [{ attempt: 2, ofRecovered: 0 }],
    });
    expect(recoveryReport([])).toMatchObject({ failedFirst: 0, recovery: { share: null }, byAttempt: [] });
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
    expect(all).toMatchObject({ from: 0, ended: 198, open: 0, p95Ms: 1_000 });
  });

  it('when one is open for hours, then it is counted, and the p99 is unknown instead of the largest that ended', () => {
    const hung = document(hour + 7, [1_000, 1_000], 'open');
    const { lines } = latencyReport([...busy, hung, document(hour, [1], 'open')], 3 * hour, hour);
    expect(lines).toEqual([{ from: hour, ended: 99, open: 2, p50Ms: 1_000, p95Ms: 9_000, p99Ms: null }]);
    expect(latencyReport(busy, 3 * hour, hour).all.p99Ms).toBe(9_000);
  });

  it('when there are none, then nothing is known', () => {
    expect(latencyReport([], 7, hour)).toEqual({
      all: { from: 7, ended: 0, open: 0, p50Ms: null, p95Ms: null, p99Ms: null },
      lines: [],
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
      primaries: 1,
      repairs: 0,
      share: 0,
      tightest: null,
    });
    expect(repairShareReport([], budget)).toEqual({ primaries: 0, repairs: 0, share: null, tightest: null });
  });
});
