import { type Interval, wilsonInterval } from '../domain/wilson-interval.js';
import type { AuditTally } from './rows.js';

/** A share with its interval at 95 %. Null: there is nothing it could be a share of. */
export interface EstimatedShare {
  readonly share: number | null;
  readonly interval: Interval;
}

export function shareOf(part: number, whole: number): EstimatedShare {
  return { share: whole === 0 ? null : part / whole, interval: wilsonInterval(part, whole) };
}

/**
 * A share of documents less those whose record an audit would find wrong: `part` of `whole` were verified, and of the
 * audited ones some were not right. The interval takes both at their worst together, so it is wider than 95 %. Without
 * an audit nobody knows: the share is null, and the interval reaches down to 0.
 */
export function netOfAudit(part: number, whole: number, audit: AuditTally): EstimatedShare {
  const verified = shareOf(part, whole);
  const defects = shareOf(audit.defects, audit.decided);
  return {
    share: verified.share === null || defects.share === null ? null : verified.share * (1 - defects.share),
    interval: {
      low: verified.interval.low * (1 - defects.interval.high),
      high: verified.interval.high * (1 - defects.interval.low),
    },
  };
}
