import { survivalQuantiles } from '../planner/survival.js';
import { type EstimatedShare, netOfAudit, shareOf } from './estimated-share.js';
import { type AuditTally, type DocumentRow, verifiedBy } from './rows.js';

/** One attempt of a measured yield curve. */
export interface MeasuredYield {
  readonly attempt: number;
  /** Documents that made it, and that it verified. */
  readonly reached: number;
  readonly passed: number;
  /** c(n): of those that made it. */
  readonly conditional: EstimatedShare;
  /** C(n): of all documents, open ones included, since they are not verified. */
  readonly cumulative: EstimatedShare;
  /** C(n) less what an audit of the records of attempts 1 to n found wrong. */
  readonly net: EstimatedShare;
  /** Verified by this attempt, per thousand documents; 0 for the first, which rescues nobody. */
  readonly rescuedPerThousand: number;
  /** p99 of a document's time had the cap been this attempt; open documents last longer than so far. Null: not known. */
  readonly p99Ms: number | null;
  /** Over that of a single attempt. */
  readonly addedP99Ms: number | null;
}

/**
 * The yield curve of these documents as seen at `now` (epoch ms). `audits`: the verdicts on records that attempt 1, 2,
 * ... verified; an attempt without an entry was not audited.
 */
export function yieldReport(
  documents: readonly DocumentRow[],
  audits: readonly AuditTally[],
  now: number,
): readonly MeasuredYield[] {
  const most = Math.max(0, ...documents.map(({ attempts }) => attempts.length));
  const singleP99Ms = p99AtCap(documents, 1, now);
  return Array.from({ length: most }, (_, index) => {
    const attempt = index + 1;
    const reached = documents.filter(({ attempts }) => attempts.length >= attempt).length;
    const within = documents.filter((document) => (verifiedBy(document) ?? most + 1) <= attempt).length;
    const passed = documents.filter((document) => verifiedBy(document) === attempt).length;
    const p99Ms = p99AtCap(documents, attempt, now);
    return {
      attempt,
      reached,
      passed,
      conditional: shareOf(passed, reached),
      cumulative: shareOf(within, documents.length),
      net: netOfAudit(within, documents.length, sumOf(audits.slice(0, attempt))),
      rescuedPerThousand: index === 0 ? 0 : (passed / documents.length) * 1_000,
      p99Ms,
      addedP99Ms: p99Ms === null || singleP99Ms === null ? null : p99Ms - singleP99Ms,
    };
  });
}

function sumOf(audits: readonly AuditTally[]): AuditTally {
  return audits.reduce(
    (sum, { decided, defects }) => ({ decided: sum.decided + decided, defects: sum.defects + defects }),
    { decided: 0, defects: 0 },
  );
}

/** A document that made attempt `cap` would have ended with it; one that is open with fewer is open still. */
function p99AtCap(documents: readonly DocumentRow[], cap: number, now: number): number | null {
  const ended: number[] = [];
  const open: number[] = [];
  for (const { startedAt, endedAt, attempts } of documents) {
    const end = attempts[cap - 1]?.endedAt ?? endedAt;
    if (end === null) open.push(now - startedAt);
    else ended.push(end - startedAt);
  }
  const ascending = (values: number[]) => values.sort((one, other) => one - other);
  return survivalQuantiles(ascending(ended), ascending(open), [0.99])[0] ?? null;
}
