import { type FoldSelection, foldedMs } from '../ports/fold-store.js';
import type { ReportFilter } from '../ports/report-store.js';
import { foldVersion, type OverviewMeasures, OverviewMeasuring } from '../reports/overview-measures.js';
import type { Application } from './application.js';
import { foldOf, foldText } from './fold-text.js';
import { auditsBySpec, dayMs, latencyLineMs, ofTenant, withWindow } from './reports.js';

/** Measures of a stretch of time that ends now. */
export interface Overview {
  readonly since: number;
  readonly at: number;
  readonly measures: OverviewMeasures;
}

/** Hours that are folded in one transaction: a writer that changes one of them waits for it. */
const hoursAtOnce = 6;
/** No overview reaches back further. */
const keptMs = 32 * dayMs;
/** What lasts longer is shown day by day: hours of a month would be closer to one another than a page can draw. */
const hourlyMs = 8 * dayMs;

/**
 * The measures of a report that need nothing but sums. Hours that are over are measured once and then kept folded, and put
 * together by the day, so that a month is read about as fast as a day; what a fold holds is what these same measures hold
 * of its runs.
 * @throws StoreUnavailable
 */
export async function readOverview(
  app: Pick<Application, 'store' | 'catalogue' | 'now' | 'tenant'>,
  asked: Pick<ReportFilter, 'specId' | 'promptVersion' | 'since'>,
): Promise<Overview> {
  const at = app.now();
  const { since = 0, ...filter } = withWindow(ofTenant(app, asked), at);
  const selection = { ...filter, version: foldVersion };
  await foldWhatIsOver(app, selection, since, at);
  const verdicts = await app.store.reports.verdicts({ ...filter, since });
  const measuring = new OverviewMeasuring(at);
  for await (const part of app.store.folds.read(selection, since)) {
    if ('fold' in part) measuring.addFold(foldOf(part.fold));
    else for (const run of part.runs) measuring.add(run);
  }
  const measures = measuring.report({
    audits: auditsBySpec(verdicts),
    budgetOf: (specId) => app.catalogue.current(specId)?.repairBudget ?? null,
    latencyLineMs: lineMsOf(measuring.spanMs()),
  });
  return { since, at, measures };
}

function lineMsOf(spanMs: number): number {
  return spanMs > hourlyMs ? dayMs : latencyLineMs(spanMs);
}

async function foldWhatIsOver(
  { store: { folds } }: Pick<Application, 'store'>,
  selection: FoldSelection,
  since: number,
  at: number,
): Promise<void> {
  const range = { since, until: Math.floor(at / foldedMs) * foldedMs };
  const missing = await folds.missing(selection, range);
  if (missing.length === 0) return;
  for (let from = 0; from < missing.length; from += hoursAtOnce) {
    const hours = missing.slice(from, from + hoursAtOnce);
    await folds.keep(selection, hours, async (parts) => {
      const byHour = new Map(hours.map((hour) => [hour, new OverviewMeasuring(at)]));
      for await (const runs of parts) {
        for (const run of runs) {
          const hour = Math.floor(run.startedAt / foldedMs) * foldedMs;
          // One that was begun a moment ago, or again: such an hour is not over.
          if (run.endedAt === null) byHour.delete(hour);
          byHour.get(hour)?.add(run);
        }
      }
      return new Map([...byHour].map(([hour, measuring]) => [hour, foldText(measuring.fold())]));
    });
  }
  await folds.keepDays(selection, range, (hours) => {
    const day = new OverviewMeasuring(at);
    for (const hour of hours) day.addFold(foldOf(hour));
    return foldText(day.fold());
  });
  await folds.forget(at - keptMs);
}
