import { type EstimatedShare, shareOf } from './estimated-share.js';
import type { Measure } from './measure.js';
import { type AttemptRow, type DocumentRow, verifiedBy } from './rows.js';

/** Whether rows were lost: what a parser and a schema never notice. */
export interface CompletenessReport {
  /**
   * Whole candidates whose rows were compared with a printed count or with a total, and those in which rows were missing
   * or too many.
   */
  readonly compared: number;
  readonly incomplete: number;
  readonly complete: EstimatedShare;
  /** Candidates that were well-formed: as a share of completeness this flatters, since lost rows leave no trace in it. */
  readonly wellFormed: number;
  /** Replies that were cut off; nothing of them was ever read as a record. */
  readonly cutOff: number;
  /** Verified documents of specs with such a rule, of those without, and of the former those that lost rows at first. */
  readonly verifiedCompared: number;
  readonly verifiedUncompared: number;
  readonly restored: number;
  /** Ended unverified, the last candidate still incomplete. */
  readonly keptOut: number;
}

/** Which rules of a spec notice that rows are missing. */
export type RowRules = (specId: string) => ReadonlySet<string>;

export class CompletenessMeasure implements Measure {
  private readonly rowRules: RowRules;
  private readonly counts = {
    compared: 0,
    incomplete: 0,
    wellFormed: 0,
    cutOff: 0,
    verifiedCompared: 0,
    verifiedUncompared: 0,
    restored: 0,
    keptOut: 0,
  };

  constructor(rowRules: RowRules) {
    this.rowRules = rowRules;
  }

  add(document: DocumentRow): void {
    const { attempts, specId, endedAt } = document;
    const { counts } = this;
    const rules = this.rowRules(specId);
    const isIncomplete = (attempt: AttemptRow) => attempt.rules.some((rule) => rules.has(rule));
    // A candidate of another class was stopped before its rows were looked at.
    const candidates = attempts.filter(
      ({ accepted, failureClass }) => accepted || failureClass === 'constraint',
    );
    const incomplete = candidates.filter(isIncomplete);
    counts.wellFormed += candidates.length;
    counts.cutOff += attempts.filter(({ failureClass }) => failureClass === 'truncated').length;
    if (rules.size > 0) {
      counts.compared += candidates.length;
      counts.incomplete += incomplete.length;
    }
    if (verifiedBy(document) !== null) {
      if (rules.size > 0) counts.verifiedCompared += 1;
      else counts.verifiedUncompared += 1;
      if (incomplete.length > 0) counts.restored += 1;
    } else if (endedAt !== null && incomplete.length > 0 && candidates.at(-1) === incomplete.at(-1)) {
      counts.keptOut += 1;
    }
  }

  report(): CompletenessReport {
    const { compared, incomplete } = this.counts;
    return { ...this.counts, complete: shareOf(compared - incomplete, compared) };
  }
}
