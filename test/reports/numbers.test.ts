import { beforeAll, describe, expect, it } from 'vitest';
import { reportCsv } from '../../src/application/report-csv.js';
import { type ReportName, reportNames, viewReport } from '../../src/application/views/report-view.js';
import { reportSheet } from '../../src/cli/report-sheet.js';
import type { Report } from '../../src/reports/report.js';
import { reportPage } from '../../src/reports/report-page.js';
import { parseCsv } from '../support/csv.js';
import { areSame, numbersIn, type Value } from '../support/hand-worked.js';
import { numbers } from './numbers/hand-worked.js';
import { reportOfRuns } from './numbers/runs.js';
import { sheet } from './numbers/sheet.js';

describe('given fifteen runs that were worked out by hand', () => {
  let report: Report;
  let found: Map<string, Value[]>;
  beforeAll(async () => {
    report = await reportOfRuns();
    const { scope: _, ...view } = viewReport(report);
    found = numbersIn({ ...view, figures: report.measures.figures }, numbers);
  });

  it('when a report holds a number, then it was worked out: a new one needs its line', () => {
    expect([...found.keys()].sort()).toEqual(Object.keys(numbers).sort());
  });

  it.each(Object.entries(numbers))(
    'when %s is read, then it is what hand calculation says',
    (path, { is, at }) => {
      const all = found.get(path) ?? [];
      const values = at === undefined ? all : at.map((index) => all[index] ?? null);
      expect(areSame(values, is), `${JSON.stringify(values)} against ${JSON.stringify(is)}`).toBe(true);
    },
  );

  it.each(
    Object.entries(numbers).flatMap(([path, { is, not }]) => (not === null ? [] : [{ path, is, not }])),
  )('when $path is defined as tempts, then it is another number', ({ is, not }) => {
    expect(not).toHaveLength(is.length);
    expect(areSame(not, is)).toBe(false);
  });

  it.each(reportNames)('when %s is written as CSV, then each column is its number', (name) => {
    const [titles = [], ...rows] = parseCsv(reportCsv(report, name));
    expect(titles).toEqual(columns[name].map(([title]) => title));
    for (const [index, [title, ...paths]] of columns[name].entries()) {
      if (paths[0] === null) continue;
      const cells = rows.map((row) => row[index]);
      const values = paths.flatMap((path) => found.get(path ?? '') ?? []);
      // What is of all attempts together stands in the first row, and the others have none.
      const rest = Array.from({ length: rows.length - values.length }, () => '');
      expect(cells, title).toEqual([
        ...values.map((value) => (value === null ? '' : String(value))),
        ...rest,
      ]);
    }
  });

  it('when it is printed, then every line is as it was written by hand', () => {
    expect(reportSheet(report, reportNames)).toBe(sheet);
  });

  it('when it is written as a page, then its tables hold no number that the printed one does not', () => {
    const html = reportPage(report, { slots: null, plan: null });
    const digits = (text: string) => text.match(/\d+(?:[,.:-]\d+)*/g) ?? [];
    const printed = new Set(digits(sheet));
    const tables = [...html.matchAll(/<td>([^<]*)<\/td>/g)].flatMap(([, text = '']) => digits(text));
    expect(tables.length).toBeGreaterThan(100);
    expect(tables.filter((each) => !printed.has(each))).toEqual([]);
  });
});

/** With the paths of its numbers, row after row. */
type Column = readonly [title: string, ...paths: (string | null)[]];

const share = (title: string, ...paths: string[]): Column[] => [
  [title, ...paths.map((path) => `${path}.share`)],
  [`${title}_low`, ...paths.map((path) => `${path}.interval.low`)],
  [`${title}_high`, ...paths.map((path) => `${path}.interval.high`)],
];

/** Columns that hold no number of their own have no path. */
const columns: Readonly<Record<ReportName, readonly Column[]>> = {
  yield: [
    ['attempt', 'yield.attempts[].attempt'],
    ['reached', 'yield.attempts[].reached'],
    ['passed', 'yield.attempts[].passed'],
    ...share('conditional', 'yield.attempts[].conditional'),
    ...share('conditional_net', 'yield.attempts[].netConditional'),
    ...share('cumulative', 'yield.attempts[].cumulative'),
    ...share('cumulative_net', 'yield.attempts[].net'),
    ['rescued_per_thousand', 'yield.attempts[].rescuedPerThousand'],
    ['rescued_per_thousand_net', 'yield.attempts[].netRescuedPerThousand'],
    ['p99_ms', 'yield.attempts[].p99Ms'],
    ['added_p99_ms', 'yield.attempts[].addedP99Ms'],
  ],
  latency: [
    ['from', 'latency.lines[].from'],
    ['ended', 'latency.lines[].ended'],
    ['open', 'latency.lines[].open'],
    ['p50_ms', 'latency.lines[].p50Ms'],
    ['p95_ms', 'latency.lines[].p95Ms'],
    ['p99_ms', 'latency.lines[].p99Ms'],
  ],
  cost: [
    ['attempt', null],
    ['recovered', 'cost.recovered', 'cost.byAttempt[].recovered'],
    ...share('recovery', 'cost.recovery', 'cost.byAttempt[].recovery'),
    ...share('recovery_net', 'cost.net', 'cost.byAttempt[].net'),
    ['of_recovered', null],
    ['failed_first', 'cost.failedFirst'],
    ['repairs', 'cost.repairs'],
    ['repair_tokens', 'cost.repairTokens'],
    ['repair_cost', 'cost.repairCost[].amount'],
    ['tokens_per_recovered', 'cost.tokensPerRecovered'],
    ['cost_per_recovered', 'cost.costPerRecovered[].amount'],
    ['tokens', 'cost.tokens'],
    ['cost', 'cost.cost[].amount'],
    ['tokens_per_verified', 'cost.tokensPerVerified'],
    ['cost_per_verified', 'cost.costPerVerified[].amount'],
    ['currency', null],
    ['reviews_per_hour', 'cost.reviewer.reviewsPerHour'],
    ['reviewer_cost_per_hour', 'cost.reviewer.perHour.amount'],
    ['reviewer_cost_per_review', 'cost.reviewer.perReview.amount'],
    ['reviewer_currency', null],
  ],
  completeness: [
    ['compared', 'completeness.compared'],
    ['incomplete', 'completeness.incomplete'],
    ...share('complete', 'completeness.complete'),
    ['well_formed', 'completeness.wellFormed'],
    ['cut_off', 'completeness.cutOff'],
    ['verified_compared', 'completeness.verifiedCompared'],
    ['verified_uncompared', 'completeness.verifiedUncompared'],
    ['restored', 'completeness.restored'],
    ['kept_out', 'completeness.keptOut'],
  ],
  repairs: [
    ['spec', null],
    ['window_until', 'repairs[].windows[].until'],
    ['repairs_per_primary', 'repairs[].windows[].share'],
    ['budget', null],
  ],
  estimates: [
    ['begun', 'estimates.begun'],
    ['wasted', 'estimates.wasted'],
    ['wasted_tokens', 'estimates.wastedTokens'],
    ['refused', 'estimates.refused'],
    ['expected_early', 'estimates.expectedEarly'],
    ['waited_away', 'estimates.waitedAway'],
  ],
  audits: [
    ['attempt', 'audits.byAttempt[].attempt'],
    ['decided', 'audits.byAttempt[].decided'],
    ['defects', 'audits.byAttempt[].defects'],
    ...share('defect_rate', 'audits.byAttempt[].defectRate'),
  ],
};
