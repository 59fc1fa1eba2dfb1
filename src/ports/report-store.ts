import type { FailureClass } from '../domain/failure-class.js';
import type { DocumentRow } from '../reports/rows.js';

/** Which runs a report is about. What is left out does not matter, but no evaluation is in it unless its tenant is named. */
export interface ReportFilter {
  readonly specId?: string;
  readonly promptVersion?: string;
  readonly tenant?: string;
  /** Only those of which an attempt was rejected with this class. */
  readonly failureClass?: FailureClass;
  /** Begun at this instant or later, and before this one. */
  readonly since?: number;
  readonly until?: number;
}

/** How far what a filter finds reaches. */
export interface ReportExtent {
  readonly documents: number;
  readonly runs: number;
  /** When the first and the last of them began; null when there is none. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly specIds: readonly string[];
}

/** Verdicts on records of this spec that this attempt verified. */
export interface AttemptVerdicts {
  readonly specId: string;
  readonly attempt: number;
  readonly decided: number;
  readonly defects: number;
}

export interface ReportStore {
  extent(filter: ReportFilter): Promise<ReportExtent>;
  /**
   * The runs, in the order in which they began, as they were at one instant, with what their attempts and calls came to.
   * In parts of a bounded size, each read when it is asked for.
   */
  runs(filter: ReportFilter): AsyncIterable<readonly DocumentRow[]>;
  /**
   * What people found when they checked verified records: audit verdicts and decided review samples, each record once
   * (the audit's word counts), by the spec and the attempt that verified it.
   */
  verdicts(filter: ReportFilter): Promise<readonly AttemptVerdicts[]>;
}
