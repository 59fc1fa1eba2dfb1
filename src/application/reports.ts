import type { Money } from '../domain/money.js';
import type { Slots } from '../planner/plan-input.js';
import type { AttemptVerdicts, ReportExtent, ReportFilter } from '../ports/report-store.js';
import { ScenarioMeasure } from '../reports/fitted-scenario.js';
import type { Measure } from '../reports/measure.js';
import { divided } from '../reports/recovery-report.js';
import { Measuring, type Report, type ReviewerPrice } from '../reports/report.js';
import type { AuditsBySpec, AuditTally } from '../reports/rows.js';
import type { Scenario } from '../simulator/scenario.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { assertKnownFilter } from './known-filter.js';
import { instant } from './views/instant.js';

const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Reports reach back this far unless told otherwise. */
export const reportWindowDays = 30;
/** Until enough decisions were measured: 25 an hour, as plans assume. */
const assumedReviewsPerHour = 25;
const fewestDecisions = 10;

type Reporting = Pick<Application, 'store' | 'catalogue' | 'now' | 'tenant'>;

/** What is known of reviewers; what is left out is measured, or assumed. */
export interface ReviewerGiven {
  readonly reviewsPerHour?: number;
  readonly perHour?: Money;
}

/** Hears how many runs were read, of how many. */
export type ToldRuns = (done: number, total: number) => void;

/**
 * Every measure of the runs that a filter finds, as they are now: one pass over them, and none of them is kept. Without
 * `since` it reaches back thirty days.
 * @throws StoreUnavailable; ApplicationError (`invalid_request`, `unknown_spec`) for filters that nothing can ever fit.
 */
export async function readReport(
  app: Reporting,
  asked: ReportFilter,
  given: ReviewerGiven = {},
  tell?: ToldRuns,
): Promise<Report> {
  const { store, catalogue } = app;
  const at = app.now();
  const filter = withWindow(ofTenant(app, asked), at);
  const [extent, verdicts, reviewer] = await Promise.all([
    store.reports.extent(filter),
    store.reports.verdicts(filter),
    reviewerPrice(app, filter, given, at),
  ]);
  if (extent.runs === 0) await assertKnownFilter(app, filter);
  const measuring = new Measuring({
    now: at,
    audits: auditsBySpec(verdicts),
    budgetOf: (specId) => catalogue.current(specId)?.repairBudget ?? null,
    rowRules: rowRulesOf(app),
    ...lineLengths(extent),
  });
  await pass(app, filter, measuring, (done) => tell?.(done, extent.runs));
  return { filter, at, documents: extent.documents, reviewer, measures: measuring.report() };
}

/**
 * A world fitted from the runs of one spec.
 * @throws ApplicationError `invalid_request` when there are none, or of several specs.
 */
export async function fitScenario(
  app: Reporting,
  asked: ReportFilter,
  slots: Slots,
  tell?: ToldRuns,
): Promise<Scenario> {
  const filter = withWindow(ofTenant(app, asked), app.now());
  const extent = await app.store.reports.extent(filter);
  const specId = onlySpec(extent);
  const { items } = await app.store.extractions.list({ specId }, { limit: 1 });
  const [newest] = items;
  const measure = new ScenarioMeasure();
  await pass(app, filter, measure, (done) => tell?.(done, extent.runs));
  const repairBudget = app.catalogue.current(specId)?.repairBudget ?? null;
  const scenario =
    newest === undefined ? null : measure.scenario({ policy: newest.policy, slots, repairBudget });
  if (scenario !== null) return scenario;
  throw new ApplicationError(
    'invalid_request',
    'None of these runs has had a reply yet, so there is nothing to fit.',
  );
}

/** The spec that all these runs are of. @throws ApplicationError `invalid_request` when there is none, or several. */
export function onlySpec({ specIds }: Pick<ReportExtent, 'specIds'>): string {
  const [specId, ...others] = specIds;
  if (specId === undefined) throw new ApplicationError('invalid_request', 'No run fits these filters.');
  if (others.length === 0) return specId;
  throw new ApplicationError(
    'invalid_request',
    `A cap belongs to one spec, and these runs are of several: name one of ${specIds.join(', ')}.`,
  );
}

/** Whoever may see one tenant only is told so by the report itself. */
export function ofTenant({ tenant }: Pick<Application, 'tenant'>, filter: ReportFilter): ReportFilter {
  return tenant === undefined ? filter : { ...filter, tenant };
}

/**
 * The stretch of time that a filter chooses, up to now and thirty days long unless told otherwise.
 * @throws ApplicationError `invalid_request` when no run can lie within it.
 */
export function withWindow(filter: ReportFilter, at: number): ReportFilter {
  const end = filter.until ?? at;
  const since = filter.since ?? end - reportWindowDays * dayMs;
  if (since < end || filter.since === undefined) return { ...filter, since };
  const than = filter.until === undefined ? 'now' : `until (${instant(end)})`;
  throw new ApplicationError(
    'invalid_request',
    `No run can fit: since (${instant(since)}) is not before ${than}.`,
  );
}

async function pass(
  { store }: Pick<Application, 'store'>,
  filter: ReportFilter,
  measure: Measure,
  tell: (done: number) => void,
): Promise<void> {
  let done = 0;
  for await (const documents of store.reports.runs(filter)) {
    for (const document of documents) measure.add(document);
    done += documents.length;
    tell(done);
  }
}

/** Verdicts as measures take them: no records of one spec say anything about those of another. */
export function auditsBySpec(verdicts: readonly AttemptVerdicts[]): AuditsBySpec {
  const audits = new Map<string, AuditTally[]>();
  for (const { specId, attempt, decided, defects } of verdicts) {
    const own = audits.get(specId) ?? [];
    audits.set(specId, own);
    own[attempt - 1] = { decided, defects };
  }
  return audits;
}

/** Rules of any version of a spec: what noticed lost rows then is still what noticed them. */
function rowRulesOf({ catalogue }: Pick<Application, 'catalogue'>): (specId: string) => ReadonlySet<string> {
  const rules = new Map<string, Set<string>>();
  for (const { id, constraints } of catalogue.list()) {
    const own = rules.get(id) ?? new Set();
    rules.set(id, own);
    for (const rule of constraints) if (rule.noticesLostRows === true) own.add(rule.id);
  }
  const none: ReadonlySet<string> = new Set();
  return (specId) => rules.get(specId) ?? none;
}

/** By hour, since repairs cluster within hours; what lasted less than that is shown closer. */
export function latencyLineMs(spanMs: number): number {
  return spanMs < 2 * hourMs ? 5 * minuteMs : hourMs;
}

const lanesLines = [1_000, 5_000, 15_000, minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 6 * hourMs];
const mostLanesLines = 150;

function lineLengths({ firstAt, lastAt }: ReportExtent) {
  const span = (lastAt ?? 0) - (firstAt ?? 0);
  const lanesLineMs = lanesLines.find((each) => span / each <= mostLanesLines) ?? dayMs;
  return { latencyLineMs: latencyLineMs(span), lanesLineMs };
}

async function reviewerPrice(
  { store }: Reporting,
  { tenant, specId }: ReportFilter,
  given: ReviewerGiven,
  at: number,
): Promise<ReviewerPrice> {
  const of = { ...(tenant === undefined ? {} : { tenant }), ...(specId === undefined ? {} : { specId }) };
  const { decisions, decidingMs } = await store.reviews.tally(of, at, at - reportWindowDays * dayMs);
  const isMeasured = decisions >= fewestDecisions && decidingMs > 0;
  const measured = isMeasured ? (decisions * hourMs) / decidingMs : assumedReviewsPerHour;
  const reviewsPerHour = given.reviewsPerHour ?? measured;
  const from = given.reviewsPerHour !== undefined ? 'given' : isMeasured ? 'measured' : 'assumed';
  const perHour = given.perHour ?? null;
  return {
    reviewsPerHour,
    from,
    perHour,
    perReview: perHour === null ? null : divided(perHour, reviewsPerHour),
  };
}
