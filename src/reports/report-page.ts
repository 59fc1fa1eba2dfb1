import type { Plan } from '../planner/plan.js';
import { budgetPlot } from '../plots/budget-plot.js';
import { lanesPlot } from '../plots/lanes-plot.js';
import { latencyPlot } from '../plots/latency-plot.js';
import { element, escaped } from '../plots/markup.js';
import { bounds, count, percent, shortTime, time } from '../plots/words.js';
import { yieldPlot } from '../plots/yield-plot.js';
import { capChange } from './cap-change.js';
import { facts, note, page, section, table } from './page-parts.js';
import { estimated, minute } from './page-words.js';
import type { Report } from './report.js';
import {
  auditsSection,
  changeSection,
  completenessSection,
  costSection,
  estimatesSection,
  reasonsSection,
} from './report-sections.js';

const [half, height] = [548, 260];

/** What a report does not hold: slots of each lane, and the plan that was made of its figures; null: none could be. */
export interface PageFacts {
  readonly slots: { readonly first: number; readonly repair: number } | null;
  readonly plan: Plan | null;
}

/** All measures as one HTML file: drawings first, the tables they are made of below. Times are UTC. */
export function reportPage(report: Report, { slots, plan }: PageFacts): string {
  const change = plan === null ? null : capChange(plan, report.measures.attemptCap ?? plan.caps.length);
  return page(
    `Endstop report, ${minute(report.at)}`,
    head(report),
    element(
      'div',
      { class: 'grid' },
      yieldSection(report),
      latencySection(report),
      ...report.measures.repairs.map((repairs) => repairsSection(repairs)),
      lanesSection(report, slots),
      costSection(report),
      changeSection(change, plan),
      reasonsSection(report),
      completenessSection(report),
      estimatesSection(report),
      auditsSection(report),
    ),
  );
}

function head({ filter, at, documents, measures }: Report): string {
  const { tally } = measures;
  const of = [
    filter.specId === undefined ? 'every spec' : `spec ${filter.specId}`,
    ...(filter.promptVersion === undefined ? [] : [`prompt version ${filter.promptVersion}`]),
    ...(filter.tenant === undefined ? [] : [`tenant ${filter.tenant}`]),
    ...(filter.failureClass === undefined ? [] : [`with a ${filter.failureClass} rejection`]),
  ].join(', ');
  const since = filter.since === undefined ? 'All runs' : `Runs begun from ${minute(filter.since)}`;
  const scope = `${since} to ${minute(filter.until ?? at)}, ${of}. Documents, runs, attempts and calls are counted apart: `;
  const numbers = `${count(documents)} documents, ${count(tally.runs)} runs, ${count(tally.attempts)} attempts, ${count(tally.calls)} calls.`;
  const last = measures.yield.at(-1);
  if (last === undefined) {
    return element('div', { class: 'head' }, element('h1', {}, 'Report'), note(scope + numbers));
  }
  const net =
    last.net.share === null
      ? `${notChecked(measures)}, so how many of all are wrong is unknown.`
      : `Less what audits found wrong: ${estimated(last.net)}.`;
  const open = tally.open === 0 ? '' : ` ${count(tally.open)} runs are open and count as not verified.`;
  return element(
    'div',
    { class: 'head' },
    element('h1', {}, 'Report'),
    note(scope + numbers),
    element('p', { class: 'figure' }, escaped(percent(last.cumulative.share ?? 0))),
    element(
      'p',
      {},
      escaped(
        `verified within ${last.attempt} attempts; 95 % interval ${bounds(last.cumulative.interval.low, last.cumulative.interval.high)}. ${net}${open}`,
      ),
    ),
  );
}

/** Why a share net of wrong records is not known. */
function notChecked({ audits }: Report['measures']): string {
  return audits.decided === 0
    ? 'Nobody has checked verified records'
    : 'Not of every attempt that verified records, of each spec, were some checked';
}

function yieldSection({ measures }: Report): string {
  const marks = measures.yield.map(({ attempt, cumulative: { share, interval }, net }) => ({
    ...{ attempt, share: share ?? 0, low: interval.low, high: interval.high, net: net.share },
  }));
  const isAudited = measures.audits.decided > 0;
  const rows = measures.yield.map((each) => [
    ...[String(each.attempt), count(each.reached), estimated(each.conditional), estimated(each.cumulative)],
    ...(isAudited ? [estimated(each.net)] : []),
    ...[
      each.rescuedPerThousand.toFixed(1),
      time(each.p99Ms),
      each.attempt === 1 ? '–' : time(each.addedP99Ms),
    ],
  ]);
  const heads = [
    'Attempt',
    'made',
    'of those c(n)',
    'all C(n)',
    ...(isAudited ? ['net'] : []),
    'per 1,000',
    'p99',
    'adds to p99',
  ];
  return section(
    'Yield by attempt',
    '% of all documents verified, 95 % intervals',
    yieldPlot({ marks, cap: measures.attemptCap ?? Math.max(1, marks.length), width: half, height }),
    table(heads, rows),
  );
}

function latencySection({ measures }: Report): string {
  const { lines, all, openMs, lineMs } = measures.latency;
  const name = nameOf(lines[0]?.from ?? 0, lines.at(-1)?.from ?? 0);
  const marks = lines.map(({ from, ended, open, ...quantiles }) => ({
    at: from,
    name: name(from),
    documents: ended + open,
    ...quantiles,
  }));
  const worst = [...lines].sort(
    (one, other) => (other.p99Ms ?? Number.POSITIVE_INFINITY) - (one.p99Ms ?? Number.POSITIVE_INFINITY),
  );
  return section(
    `Time to an outcome, by ${lineMs === 3_600_000 ? 'hour' : shortTime(lineMs)}`,
    'all documents, log scale; triangles: open runs at their present age',
    latencyPlot({
      marks,
      openMs,
      openRuns: all.open,
      deadlineMs: measures.deadlineMs,
      width: half,
      height: height + 20,
    }),
    note(
      `All: p50 ${time(all.p50Ms)}, p95 ${time(all.p95Ms)}, p99 ${time(all.p99Ms)}; ${count(all.open)} open ones counted as longer than so far. The slowest stretches:`,
    ),
    table(
      ['Begun from', 'ended', 'open', 'p50', 'p95', 'p99'],
      worst
        .slice(0, 5)
        .map((line) => [
          minute(line.from),
          count(line.ended),
          count(line.open),
          time(line.p50Ms),
          time(line.p95Ms),
          time(line.p99Ms),
        ]),
    ),
  );
}

function repairsSection({
  specId,
  budget,
  windows,
  primaries,
  repairs,
  share,
  tightest,
  refused,
}: Report['measures']['repairs'][number]): string {
  const name = nameOf(windows[0]?.until ?? 0, windows.at(-1)?.until ?? 0);
  const marks = windows.map(({ until, share }) => ({ at: until, name: name(until), share }));
  const closest =
    tightest === null || budget === null
      ? '–'
      : `${count(tightest.repairs)} of ${count(tightest.allowed)} allowed, to ${minute(tightest.until)}`;
  return section(
    `Repairs against budget: ${specId}`,
    `% of first calls in ${shortTime(budget?.windowMs ?? 300_000)}${floorOf(budget)}`,
    budgetPlot({ marks, budget: budget?.share ?? null, width: half, height: 200 }),
    facts([
      ['First calls', count(primaries)],
      ['Repairs', `${count(repairs)}${share === null ? '' : `, ${percent(share)}`}`],
      ['Closest to the budget', closest],
      ['Runs it ended', count(refused)],
    ]),
  );
}

/** What a share above the line may have been allowed by. */
function floorOf(budget: Report['measures']['repairs'][number]['budget']): string {
  if (budget === null || budget.floor === 0) return '';
  return `; ${count(budget.floor)} are allowed whatever the line`;
}

function lanesSection({ measures: { lanes } }: Report, slots: PageFacts['slots']): string {
  const name = nameOf(lanes.lanes[0]?.lines[0]?.from ?? 0, lanes.lanes[0]?.lines.at(-1)?.from ?? 0);
  const shown = lanes.lanes.map(({ lane, peak, lines }) => ({
    name: lane,
    peak,
    slots: slots?.[lane] ?? null,
    marks: lines.map(({ from, busy }) => ({ at: from, name: name(from), busy })),
  }));
  return section(
    'Lanes over time',
    `slots busy, mean of each ${shortTime(lanes.lineMs)}; the bar: slots of one worker`,
    lanesPlot({ lanes: shown, width: half, laneHeight: 96 }),
  );
}

/** What stands under an axis of time: the clock within a day, the day before it over more. */
function nameOf(first: number, last: number): (at: number) => string {
  const iso = (at: number) => new Date(at).toISOString();
  const within = last - first;
  if (within < 10 * 60_000) return (at) => iso(at).slice(11, 19);
  return within <= 30 * 3_600_000
    ? (at) => iso(at).slice(11, 16)
    : (at) => `${iso(at).slice(8, 10)}. ${iso(at).slice(11, 16)}`;
}
