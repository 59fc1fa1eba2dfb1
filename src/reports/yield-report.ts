import { Samples, spreadOf } from '../planner/samples.js';
import { type EstimatedShare, shareOf } from './estimated-share.js';
import type { Measure } from './measure.js';
import { netShare } from './net-share.js';
import { type AuditsBySpec, type DocumentRow, verifiedBy } from './rows.js';

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
  /** C(n) less what audits of the records of each attempt up to n, of each spec, found wrong of those. */
  readonly net: EstimatedShare;
  /** Verified by this attempt, per thousand documents; 0 for the first, which rescues nobody. */
  readonly rescuedPerThousand: number;
  /** The same less what an audit of the records of this attempt found wrong; null: nobody looked, at those of one spec at least. */
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
  /** By spec, and by attempt from 1 at index 0: documents that it verified. */
  readonly passed: Map<string, number[]>;
  /** By attempt from 1 at index 0: times from a document's beginning to its end. */
  readonly ends: Samples[];
  /** By attempt from 1 at index 0: documents that ended without a reply to it. */
  readonly unanswered: number[];
  /** By number of attempts made. */
  readonly lasts: Last[];
}

/** The yield curve: which attempt verifies which share of documents, and what each attempt adds to the tail. */
export class YieldMeasure implements Measure {
  readonly state: YieldState = { documents: 0, passed: new Map(), ends: [], unanswered: [], lasts: [] };

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
    if (by !== null) countPassed(state.passed, document.specId, by);
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
   * The curve as seen at `now` (epoch ms). `audits`: what people found who checked verified records.
   */
  report(audits: AuditsBySpec, now: number): readonly MeasuredYield[] {
    const { state } = this;
    const { documents } = state;
    const attempts = Math.max(state.ends.length, state.unanswered.length);
    const p99s = Array.from({ length: attempts }, (_, index) => this.p99AtCap(index + 1, now));
    return p99s.map((p99Ms, index) => {
      const singleP99Ms = p99s[0] ?? null;
      const reached = (state.ends[index]?.count ?? 0) + (state.unanswered[index] ?? 0);
      const attempt = index + 1;
      const passed = passedWithin(state.passed, attempt, attempt);
      const within = passedWithin(state.passed, 1, attempt);
      const rescuedPerThousand = index === 0 ? 0 : (passed / documents) * 1_000;
      const netPassed = netShare(state.passed, audits, documents, attempt, attempt).share;
      return {
        attempt,
        reached,
        passed,
        conditional: shareOf(passed, reached),
        netConditional: netShare(state.passed, audits, reached, attempt, attempt),
        cumulative: shareOf(within, documents),
        net: netShare(state.passed, audits, documents, 1, attempt),
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

/** Counts a document of this spec that this attempt verified. */
export function countPassed(passed: Map<string, number[]>, specId: string, attempt: number): void {
  const own = passed.get(specId) ?? [];
  passed.set(specId, own);
  own[attempt - 1] = (own[attempt - 1] ?? 0) + 1;
}

/** Documents of all specs that attempts `from` to `to` verified. */
export function passedWithin(
  passed: ReadonlyMap<string, readonly number[]>,
  from: number,
  to: number,
): number {
  let sum = 0;
  for (const own of passed.values()) for (const each of own.slice(from - 1, to)) sum += each ?? 0;
  return sum;
}
