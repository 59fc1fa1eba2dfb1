import type { FailureClass } from '../domain/failure-class.js';
import type { Money } from '../domain/money.js';
import type { AttemptFigures, PlanInput } from '../planner/plan-input.js';
import { CompletenessMeasure, type CompletenessReport, type RowRules } from './completeness-report.js';
import { EstimateMeasure, type EstimateReport } from './estimate-report.js';
import { type LaneLines, LanesMeasure } from './lanes-report.js';
import type { Measure } from './measure.js';
import { type OverviewFacts, type OverviewMeasures, OverviewMeasuring } from './overview-measures.js';
import type { LanePeak } from './peaks-report.js';
import { PlanMeasure } from './plan-figures.js';
import type { DocumentRow } from './rows.js';

/** What documents alone do not tell. */
export interface ReportFacts extends OverviewFacts {
  /** When it is looked at (epoch ms): what is open is as old as that. */
  readonly now: number;
  readonly rowRules: RowRules;
  /** Length of a line of the lanes. */
  readonly lanesLineMs: number;
}

/** Every measure, of the same documents. */
export interface Measures extends Omit<OverviewMeasures, 'peaks'> {
  readonly completeness: CompletenessReport;
  readonly estimates: EstimateReport;
  readonly lanes: { readonly lineMs: number; readonly lanes: readonly LaneUse[] };
  /** What a plan is made of; null when no attempt was made. */
  readonly figures: MeasuredFigures | null;
}

export type LaneUse = LaneLines & Pick<LanePeak, 'peak'>;

export interface MeasuredFigures
  extends Pick<PlanInput, 'measuredRuns' | 'peakPerSecond' | 'documentsPerDay'> {
  readonly attempts: readonly AttemptFigures[];
}

/** All measures at once, so that documents are read once. */
export class Measuring implements Measure {
  private readonly facts: ReportFacts;
  private readonly overview: OverviewMeasuring;
  private readonly estimates = new EstimateMeasure();
  private readonly plan = new PlanMeasure();
  private readonly completeness: CompletenessMeasure;
  private readonly lanes: LanesMeasure;

  constructor(facts: ReportFacts) {
    this.facts = facts;
    this.overview = new OverviewMeasuring(facts.now);
    this.completeness = new CompletenessMeasure(facts.rowRules);
    this.lanes = new LanesMeasure(facts.lanesLineMs, facts.now);
  }

  add(document: DocumentRow): void {
    for (const measure of [this.overview, this.estimates, this.plan, this.completeness, this.lanes])
      measure.add(document);
  }

  report(): Measures {
    const { lanesLineMs } = this.facts;
    const { peaks, ...measures } = this.overview.report(this.facts);
    const peakOf = (lane: LanePeak['lane']) => peaks.find((each) => each.lane === lane)?.peak ?? 0;
    return {
      ...measures,
      completeness: this.completeness.report(),
      estimates: this.estimates.report(),
      lanes: {
        lineMs: lanesLineMs,
        lanes: this.lanes.report().map((each) => ({ ...each, peak: peakOf(each.lane) })),
      },
      figures: this.plan.figures(measures.yield),
    };
  }
}

/** What a person costs who decides a document, for the price of a repair to be compared with. */
export interface ReviewerPrice {
  readonly reviewsPerHour: number;
  /** `assumed` until enough decisions were measured. */
  readonly from: 'given' | 'measured' | 'assumed';
  /** What an hour costs, and so one decision; null when nobody said. */
  readonly perHour: Money | null;
  readonly perReview: Money | null;
}

/** All measures, with what they are of. */
export interface Report {
  readonly filter: {
    readonly specId?: string;
    readonly promptVersion?: string;
    readonly tenant?: string;
    readonly failureClass?: FailureClass;
    readonly since?: number;
    readonly until?: number;
  };
  readonly at: number;
  /** Distinct documents among the runs. */
  readonly documents: number;
  readonly reviewer: ReviewerPrice;
  readonly measures: Measures;
}
