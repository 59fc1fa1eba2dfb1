import type { Money } from '../domain/money.js';
import type { EstimatedShare } from '../reports/estimated-share.js';
import type { Report } from '../reports/report.js';
import { csvLine } from './csv.js';
import { instant } from './views/instant.js';
import type { ReportName } from './views/report-view.js';

type Cell = string | number | null;

const share = (name: string) => [name, `${name}_low`, `${name}_high`];
const cells = ({ share, interval }: EstimatedShare): Cell[] => [share, interval.low, interval.high];

const nothing = (cells: number) => Array.from({ length: cells }, () => null);
/** Of several currencies each, in the order in which `currency` names them. */
const amounts = (money: readonly Money[] | null): Cell =>
  money === null || money.length === 0 ? null : money.map(({ amount }) => amount).join(' and ');

const tables: Readonly<Record<ReportName, (report: Report) => { titles: string[]; rows: Cell[][] }>> = {
  yield: ({ measures }) => ({
    titles: [
      ...['attempt', 'reached', 'passed', ...share('conditional'), ...share('conditional_net')],
      ...[
        ...share('cumulative'),
        ...share('cumulative_net'),
        'rescued_per_thousand',
        'rescued_per_thousand_net',
      ],
      ...['p99_ms', 'added_p99_ms'],
    ],
    rows: measures.yield.map((point) => [
      ...[
        point.attempt,
        point.reached,
        point.passed,
        ...cells(point.conditional),
        ...cells(point.netConditional),
      ],
      ...[
        ...cells(point.cumulative),
        ...cells(point.net),
        point.rescuedPerThousand,
        point.netRescuedPerThousand,
      ],
      ...[point.p99Ms, point.addedP99Ms],
    ]),
  }),
  latency: ({ measures }) => ({
    titles: ['from', 'ended', 'open', 'p50_ms', 'p95_ms', 'p99_ms'],
    rows: measures.latency.lines.map((line) => [
      ...[instant(line.from), line.ended, line.open, line.p50Ms, line.p95Ms, line.p99Ms],
    ]),
  }),
  cost: ({ measures: { cost }, reviewer }) => ({
    titles: [
      ...['attempt', 'recovered', ...share('recovery'), ...share('recovery_net'), 'of_recovered'],
      ...['failed_first', 'repairs', 'repair_tokens', 'repair_cost', 'tokens_per_recovered'],
      ...['cost_per_recovered', 'tokens', 'cost', 'tokens_per_verified', 'cost_per_verified', 'currency'],
      ...['reviews_per_hour', 'reviewer_cost_per_hour', 'reviewer_cost_per_review', 'reviewer_currency'],
    ],
    rows: [
      [
        ...[
          'all',
          cost.recovered,
          ...cells(cost.recovery),
          ...cells(cost.net),
          cost.recovered === 0 ? null : 1,
        ],
        ...[
          cost.failedFirst,
          cost.repairs,
          cost.repairTokens,
          amounts(cost.repairCost),
          cost.tokensPerRecovered,
        ],
        ...[amounts(cost.costPerRecovered), cost.tokens, amounts(cost.cost), cost.tokensPerVerified],
        ...[amounts(cost.costPerVerified), cost.cost.map(({ currency }) => currency).join(' and ') || null],
        ...[reviewer.reviewsPerHour, reviewer.perHour?.amount ?? null, reviewer.perReview?.amount ?? null],
        reviewer.perHour?.currency ?? null,
      ],
      ...cost.byAttempt.map((each) => [
        ...[each.attempt, each.recovered, ...cells(each.recovery), ...cells(each.net), each.ofRecovered],
        ...nothing(15),
      ]),
    ],
  }),
  completeness: ({ measures: { completeness } }) => ({
    titles: [
      ...['compared', 'incomplete', ...share('complete'), 'well_formed', 'cut_off', 'verified_compared'],
      ...['verified_uncompared', 'restored', 'kept_out'],
    ],
    rows: [
      [
        ...[completeness.compared, completeness.incomplete, ...cells(completeness.complete)],
        ...[completeness.wellFormed, completeness.cutOff, completeness.verifiedCompared],
        ...[completeness.verifiedUncompared, completeness.restored, completeness.keptOut],
      ],
    ],
  }),
  repairs: ({ measures }) => ({
    titles: ['spec', 'window_until', 'repairs_per_primary', 'budget'],
    rows: measures.repairs.flatMap(({ specId, windows, budget }) =>
      windows.map((window) => [specId, instant(window.until), window.share, budget?.share ?? null]),
    ),
  }),
  estimates: ({ measures: { estimates } }) => ({
    titles: ['begun', 'wasted', 'wasted_tokens', 'refused', 'expected_early', 'waited_away'],
    rows: [
      [
        ...[estimates.begun, estimates.wasted, estimates.wastedTokens],
        ...[estimates.refused, estimates.expectedEarly, estimates.waitedAway],
      ],
    ],
  }),
  audits: ({ measures }) => ({
    titles: ['attempt', 'decided', 'defects', ...share('defect_rate')],
    rows: measures.audits.byAttempt.map((each) => [
      ...[each.attempt, each.decided, each.defects, ...cells(each.defectRate)],
    ]),
  }),
};

/** The rows of one report as CSV; unknown is an empty cell. */
export function reportCsv(report: Report, name: ReportName): string {
  const { titles, rows } = tables[name](report);
  return [titles, ...rows]
    .map((row) => csvLine(row.map((cell) => (cell === null ? '' : String(cell)))))
    .join('');
}
