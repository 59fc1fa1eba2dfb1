import type { RepairBudget } from '../domain/repair-budget.js';
import { type EstimatedShare, shareOf } from './estimated-share.js';
import { LatencyMeasure, type LatencyReport } from './latency-report.js';
import type { Measure } from './measure.js';
import { type LanePeak, PeaksMeasure } from './peaks-report.js';
import { RecoveryMeasure, type RecoveryReport } from './recovery-report.js';
import { RepairsMeasure, type RepairsOfSpec } from './repairs-report.js';
import type { AuditsBySpec, AuditTally, DocumentRow } from './rows.js';
import { addPacked, type PackedSums, packed } from './sums.js';
import { TallyMeasure, type TallyReport } from './tally-report.js';
import { type MeasuredYield, YieldMeasure } from './yield-report.js';

/**
 * Which folds these measures can add: one more whenever a measure comes to hold something else of a row, so that no fold
 * of before is taken for one of now.
 */
export const foldVersion = 3;

/** What documents alone do not tell. */
export interface OverviewFacts {
  readonly audits: AuditsBySpec;
  /** The repair budget of a spec; null when nobody knows it. */
  readonly budgetOf: (specId: string) => RepairBudget | null;
  /** Length of a line of the latency report. */
  readonly latencyLineMs: number;
}

export interface AuditReport extends AuditTally {
  /** Of the audited records; what it is of all of them lies within the interval. */
  readonly defectRate: EstimatedShare;
  readonly byAttempt: readonly (AuditTally & {
    readonly attempt: number;
    readonly defectRate: EstimatedShare;
  })[];
}

/** The measures that hold nothing but sums of documents, whatever they are reported with. */
export interface OverviewMeasures {
  readonly tally: TallyReport;
  /** The largest attempt cap and the longest deadline that a run began under; null without runs. */
  readonly attemptCap: number | null;
  readonly deadlineMs: number | null;
  readonly yield: readonly MeasuredYield[];
  readonly latency: LatencyReport;
  readonly cost: RecoveryReport;
  readonly repairs: readonly RepairsOfSpec[];
  readonly audits: AuditReport;
  readonly peaks: readonly LanePeak[];
}

/**
 * All of them at once. A fold is what these hold of some documents that have ended; adding it is the same as
 * letting those documents go by.
 */
export class OverviewMeasuring implements Measure {
  private readonly now: number;
  private readonly caps = { attempts: new Map<number, number>(), deadlines: new Map<number, number>() };
  private readonly tally = new TallyMeasure();
  private readonly yield = new YieldMeasure();
  private readonly latency = new LatencyMeasure();
  private readonly cost = new RecoveryMeasure();
  private readonly peaks: PeaksMeasure;
  private readonly repairs = new RepairsMeasure();
  /** What all of them hold, not copies. */
  private readonly sums: object;

  /** `now` (epoch ms): when it is looked at; what is open is as old as that. */
  constructor(now: number) {
    this.now = now;
    this.peaks = new PeaksMeasure(now);
    const { caps, tally, yield: curve, latency, cost, peaks, repairs } = this;
    this.sums = {
      ...{ caps, tally: tally.state, yield: curve.state, latency: latency.state },
      ...{ cost: cost.state, peaks: peaks.state, repairs: repairs.state },
    };
  }

  add(document: DocumentRow): void {
    const { attemptCap, startedAt, deadlineAt } = document;
    for (const measure of [this.tally, this.yield, this.latency, this.cost, this.peaks, this.repairs])
      measure.add(document);
    countUp(this.caps.attempts, attemptCap);
    countUp(this.caps.deadlines, deadlineAt - startedAt);
  }

  /** @throws SyntaxError when the text is no fold. */
  addFold(fold: PackedSums): void {
    addPacked(this.sums, fold);
  }

  /** Only of documents that have ended: what is open looks otherwise with every moment. */
  fold(): PackedSums {
    return packed(this.sums);
  }

  /** From the beginning of the first document to that of the last. */
  spanMs(): number {
    return this.latency.spanMs();
  }

  report({ audits, budgetOf, latencyLineMs }: OverviewFacts): OverviewMeasures {
    return {
      tally: this.tally.report(),
      attemptCap: largest(this.caps.attempts),
      deadlineMs: largest(this.caps.deadlines),
      yield: this.yield.report(audits, this.now),
      latency: this.latency.report(this.now, latencyLineMs),
      cost: this.cost.report(audits),
      repairs: this.repairs.report(budgetOf),
      audits: auditReport(audits),
      peaks: this.peaks.report(),
    };
  }
}

function countUp(counts: Map<number, number>, name: number): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function largest(counts: ReadonlyMap<number, number>): number | null {
  return counts.size === 0 ? null : Math.max(...counts.keys());
}

function auditReport(audits: AuditsBySpec): AuditReport {
  const attempts = Math.max(0, ...[...audits.values()].map(({ length }) => length));
  const byAttempt = Array.from({ length: attempts }, (_, index) => ({
    attempt: index + 1,
    ...checked([...audits.values()].flatMap((own) => own[index] ?? [])),
  }));
  return { ...checked(byAttempt), byAttempt };
}

function checked(tallies: readonly AuditTally[]): AuditTally & { readonly defectRate: EstimatedShare } {
  const decided = tallies.reduce((sum, each) => sum + each.decided, 0);
  const defects = tallies.reduce((sum, each) => sum + each.defects, 0);
  return { decided, defects, defectRate: shareOf(defects, decided) };
}
