import type { Report } from '../../reports/report.js';
import { instant, instantOrNull } from './instant.js';

export const reportNames = [
  'yield',
  'latency',
  'cost',
  'completeness',
  'repairs',
  'estimates',
  'audits',
] as const;
export type ReportName = (typeof reportNames)[number];

/** What a report is of, and when it was made. */
function scopeOf({ filter, at }: Report) {
  return {
    spec: filter.specId ?? null,
    version: filter.promptVersion ?? null,
    failureClass: filter.failureClass ?? null,
    tenant: filter.tenant ?? null,
    since: instantOrNull(filter.since ?? null),
    until: instantOrNull(filter.until ?? null),
    at: instant(at),
  };
}

/** Every measure as it leaves the process: instants as ISO 8601, documents, runs, attempts and calls counted apart. */
export function viewReport(report: Report) {
  const { measures, reviewer, documents } = report;
  const { tally, latency, cost, repairs } = measures;
  const { reasons, routes, classes, ...counts } = tally;
  return {
    scope: scopeOf(report),
    counts: { documents, ...counts },
    reasons,
    routes,
    classes,
    yield: { cap: measures.attemptCap, attempts: measures.yield },
    latency: {
      deadlineMs: measures.deadlineMs,
      lineMs: latency.lineMs,
      all: latency.all,
      lines: latency.lines.map(({ from, ...line }) => ({ from: instant(from), ...line })),
      openMs: latency.openMs,
    },
    cost: { ...cost, reviewer },
    completeness: measures.completeness,
    repairs: repairs.map(({ windows, tightest, ...rest }) => ({
      ...rest,
      tightest: tightest === null ? null : { ...tightest, until: instant(tightest.until) },
      windows: windows.map(({ until, share }) => ({ until: instant(until), share })),
    })),
    estimates: measures.estimates,
    audits: measures.audits,
    lanes: {
      lineMs: measures.lanes.lineMs,
      lanes: measures.lanes.lanes.map(({ lane, peak, lines }) => ({
        lane,
        peak,
        lines: lines.map(({ from, busy }) => ({ from: instant(from), busy })),
      })),
    },
  };
}

export type ReportView = ReturnType<typeof viewReport>;

/** One measure with what it is of. */
export function viewMeasure<Name extends ReportName>(report: Report, name: Name) {
  const { scope, counts, ...measures } = viewReport(report);
  return { scope, counts, [name]: measures[name] } as Pick<ReportView, 'scope' | 'counts' | Name>;
}
