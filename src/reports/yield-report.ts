import { Samples, spreadOf } from '../planner/samples.js';
import { type EstimatedShare, netOfAudit, shareOf } from './estimated-share.js';
import type { Measure } from './measure.js';
import { type AuditTally, type DocumentRow, verifiedBy } from './rows.js';

/** One attempt of a measured yield curve. */
export interface MeasuredYield {
  readonly attempt: number;
  /** Documents that made it, those that ended without a reply to it included, and that it verified. */
  readonly reached: number;
  readonly passed: number;
  /** c(n): of those that made it. */
  readonly conditional: EstimatedShare;
  /** c(n) less what an audit of the records of this attempt found wrong. */
  readonly netConditional: EstimatedShare;
  /** C(n): of all documents, open ones included, since they are not verified. */
  readonly cumulative: EstimatedShare;
  /** C(n) less what an audit of the records of attempts 1 to n found wrong. */
  readonly net: EstimatedShare;
  /** Verified by this attempt, per thousand documents; 0 for the first, which rescues nobody. */
  readonly rescuedPerThousand: number;
  /** The same less what an audit of the records of this attempt found wrong; null: nobody looked. */
  readonly netRescuedPerThousand: number | null;
  /** p99 of a document's time had the cap been this attempt; open documents last longer than so far. Null: not known. */
  readonly p99Ms: number | null;
  /** Over that of a single attempt. */
  readonly addedP99Ms: number | null;
}

/** Documents that made a number of attempts and no more. */
interface Last {
  documents: number;
  readonly ended: Samples;
  readonly openSince: Samples;
}

interface YieldState {
  documents: number;
  /** By attempt from 1 at index 0: documents that it verified, and times from their beginning to its end. */
  readonly passed: number[];
  readonly ends: Samples[];
  /** By attempt from 1 at index 0: documents that ended without a reply to it. */
  readonly unanswered: number[];
  /** By number of attempts made. */
  readonly lasts: Last[];
}

/** The yield curve: which attempt verifies which share of documents, and what each attempt adds to the tail. */
export class YieldMeasure implements Measure {
  readonly state: YieldState = { documents: 0, passed: [], ends: [], unanswered: [], lasts: [] };

  add(document: DocumentRow): void {
    const { startedAt, endedAt, attempts } = document;
    const { state } = this;
    state.documents += 1;
    for (const [index, attempt] of attempts.entries()) {
      const ends = state.ends[index] ?? new Samples();
      state.ends[index] = ends;
      ends.add(attempt.endedAt - startedAt);
    }
    if (document.unanswered !== null && endedAt !== null) {
      state.unanswered[attempts.length] = (state.unanswered[attempts.length] ?? 0) + 1;
    }
    const by = verifiedBy(document);
    if (by !== null) state.passed[by - 1] = (state.passed[by - 1] ?? 0) + 1;
    const last = state.lasts[attempts.length] ?? {
      documents: 0,
      ended: new Samples(),
      openSince: new Samples(),
    };
    state.lasts[attempts.length] = last;
    last.documents += 1;
    if (endedAt === null) last.openSince.add(startedAt);
    else last.ended.add(endedAt - startedAt);
  }

  /**
   * The curve as seen at `now` (epoch ms). `audits`: the verdicts on records that attempt 1, 2, ... verified; an attempt
   * without an entry was not audited.
   */
  report(audits: readonly AuditTally[], now: number): readonly MeasuredYield[] {
    const { state } = this;
    const { documents } = state;
    const attempts = Math.max(state.ends.length, state.unanswered.length);
    const p99s = Array.from({ length: attempts }, (_, index) => this.p99AtCap(index + 1, now));
    return p99s.map((p99Ms, index) => {
      const singleP99Ms = p99s[0] ?? null;
      const reached = (state.ends[index]?.count ?? 0) + (state.unanswered[index] ?? 0);
      const passed = state.passed[index] ?? 0;
      const within = state.passed.slice(0, index + 1).reduce((sum, each) => sum + (each ?? 0), 0);
      const own = audits[index] ?? { decided: 0, defects: 0 };
      const rescuedPerThousand = index === 0 ? 0 : (passed / documents) * 1_000;
      const netPassed = netOfAudit(passed, documents, own).share;
      return {
        attempt: index + 1,
        reached,
        passed,
        conditional: shareOf(passed, reached),
        netConditional: netOfAudit(passed, reached, own),
        cumulative: shareOf(within, documents),
        net: netOfAudit(within, documents, sumOf(audits.slice(0, index + 1))),
        rescuedPerThousand,
        netRescuedPerThousand: netPassed === null ? null : index === 0 ? 0 : netPassed * 1_000,
        p99Ms,
        addedP99Ms: p99Ms === null || singleP99Ms === null ? null : p99Ms - singleP99Ms,
      };
    });
  }

  /** A document that made attempt `cap` would have ended with it; one that is open with fewer is open still. */
  private p99AtCap(cap: number, now: number): number | null {
    const ended = new Samples();
    const open = new Samples();
    const made = this.state.ends[cap - 1];
    if (made !== undefined) ended.append(made.all());
    for (const last of this.state.lasts.slice(0, cap)) {
      if (last === undefined) continue;
      ended.append(last.ended.all());
      for (const since of last.openSince.all()) open.add(now - since);
    }
    return spreadOf(ended, open).p99Ms;
  }
}

export function sumOf(audits: readonly AuditTally[]): AuditTally {
  return audits.reduce(
    (sum, { decided, defects }) => ({ decided: sum.decided + decided, defects: sum.defects + defects }),
    { decided: 0, defects: 0 },
  );
}
