import type { FailureClass } from '../domain/failure-class.js';
import type { Money } from '../domain/money.js';
import type { RepairBudget } from '../domain/repair-budget.js';
import type { AttemptFigures, PlanInput } from '../planner/plan-input.js';
import { CompletenessMeasure, type CompletenessReport, type RowRules } from './completeness-report.js';
import { EstimateMeasure, type EstimateReport } from './estimate-report.js';
import { type EstimatedShare, shareOf } from './estimated-share.js';
import { LanesMeasure, type LaneUse } from './lanes-report.js';
import { LatencyMeasure, type LatencyReport } from './latency-report.js';
import type { Measure } from './measure.js';
import { PlanMeasure } from './plan-figures.js';
import { RecoveryMeasure, type RecoveryReport } from './recovery-report.js';
import { RepairShareMeasure, type RepairShareReport } from './repair-share-report.js';
import type { AuditTally, DocumentRow } from './rows.js';
import { TallyMeasure, type TallyReport } from './tally-report.js';
import { type MeasuredYield, sumOf, YieldMeasure } from './yield-report.js';

/** What documents alone do not tell. */
export interface ReportFacts {
  /** When it is looked at (epoch ms): what is open is as old as that. */
  readonly now: number;
  /** Verdicts on records that attempt 1, 2, ... verified. */
  readonly audits: readonly AuditTally[];
  /** The repair budget of a spec; null when nobody knows it. */
  readonly budgetOf: (specId: string) => RepairBudget | null;
  readonly rowRules: RowRules;
  /** Length of a line of the latency report, and of the lanes. */
  readonly latencyLineMs: number;
  readonly lanesLineMs: number;
}

export interface RepairsOfSpec extends RepairShareReport {
  readonly specId: string;
  /** Null: this spec is not known here any more, and its repairs are measured against nothing. */
  readonly budget: RepairBudget | null;
}

export interface AuditReport extends AuditTally {
  /** Of the audited records; what it is of all of them lies within the interval. */
  readonly defectRate: EstimatedShare;
  readonly byAttempt: readonly (AuditTally & {
    readonly attempt: number;
    readonly defectRate: EstimatedShare;
  })[];
}

/** Every measure, of the same documents. */
export interface Measures {
  readonly tally: TallyReport;
  /** The largest attempt cap and the longest deadline that a run began under; null without runs. */
  readonly attemptCap: number | null;
  readonly deadlineMs: number | null;
  readonly yield: readonly MeasuredYield[];
  readonly latency: LatencyReport;
  readonly cost: RecoveryReport;
  readonly completeness: CompletenessReport;
  readonly repairs: readonly RepairsOfSpec[];
  readonly estimates: EstimateReport;
  readonly audits: AuditReport;
  readonly lanes: { readonly lineMs: number; readonly lanes: readonly LaneUse[] };
  /** What a plan is made of; null when no attempt was made. */
  readonly figures: MeasuredFigures | null;
}

export interface MeasuredFigures extends Pick<PlanInput, 'peakPerSecond' | 'documentsPerDay'> {
  readonly attempts: readonly AttemptFigures[];
}

/** Without a budget of its own, a window as long as most specs have: its share is shown, and nothing is allowed for. */
const unbudgeted: RepairBudget = { share: 0, floor: 0, windowMs: 300_000 };

/** All measures at once, so that documents are read once. */
export class Measuring implements Measure {
  private readonly facts: ReportFacts;
  private readonly tally = new TallyMeasure();
  private readonly yield = new YieldMeasure();
  private readonly cost = new RecoveryMeasure();
  private readonly estimates = new EstimateMeasure();
  private readonly plan = new PlanMeasure();
  private readonly latency: LatencyMeasure;
  private readonly completeness: CompletenessMeasure;
  private readonly lanes: LanesMeasure;
  private readonly repairs = new Map<string, RepairShareMeasure>();
  private attemptCap: number | null = null;
  private deadlineMs: number | null = null;

  constructor(facts: ReportFacts) {
    this.facts = facts;
    this.latency = new LatencyMeasure(facts.latencyLineMs);
    this.completeness = new CompletenessMeasure(facts.rowRules);
    this.lanes = new LanesMeasure(facts.lanesLineMs, facts.now);
  }

  add(document: DocumentRow): void {
    const { specId, attemptCap, startedAt, deadlineAt } = document;
    const repairs = this.repairs.get(specId) ?? new RepairShareMeasure();
    this.repairs.set(specId, repairs);
    for (const measure of [this.tally, this.yield, this.cost, this.estimates, this.plan])
      measure.add(document);
    for (const measure of [this.latency, this.completeness, this.lanes, repairs]) measure.add(document);
    this.attemptCap = Math.max(this.attemptCap ?? 0, attemptCap);
    this.deadlineMs = Math.max(this.deadlineMs ?? 0, deadlineAt - startedAt);
  }

  report(): Measures {
    const { now, audits, budgetOf, lanesLineMs } = this.facts;
    const curve = this.yield.report(audits, now);
    return {
      tally: this.tally.report(),
      attemptCap: this.attemptCap,
      deadlineMs: this.deadlineMs,
      yield: curve,
      latency: this.latency.report(now),
      cost: this.cost.report(audits),
      completeness: this.completeness.report(),
      repairs: [...this.repairs]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([specId, measure]) => {
          const budget = budgetOf(specId);
          return { specId, budget, ...measure.report(budget ?? unbudgeted) };
        }),
      estimates: this.estimates.report(),
      audits: auditReport(audits),
      lanes: { lineMs: lanesLineMs, lanes: this.lanes.report() },
      figures: this.plan.figures(curve, audits),
    };
  }
}

function auditReport(audits: readonly AuditTally[]): AuditReport {
  const all = sumOf(audits);
  return {
    ...all,
    defectRate: shareOf(all.defects, all.decided),
    byAttempt: audits.map((tally, index) => ({
      attempt: index + 1,
      ...tally,
      defectRate: shareOf(tally.defects, tally.decided),
    })),
  };
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
