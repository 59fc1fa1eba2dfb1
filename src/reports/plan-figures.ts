import type { Money } from '../domain/money.js';
import { addCost } from '../domain/spent.js';
import type { AttemptFigures, PlanInput } from '../planner/plan-input.js';
import type { Measure } from './measure.js';
import { divided } from './recovery-report.js';
import { attemptsMade, busyMsOf, type DocumentRow, madeAttempt } from './rows.js';
import type { MeasuredYield } from './yield-report.js';

const minuteMs = 60_000;
const dayMs = 86_400_000;

interface Sums {
  attempts: number;
  busyMs: number;
  tokens: number;
  cost: readonly Money[];
}

/** What a plan needs to know of documents that were really run. */
export class PlanMeasure implements Measure {
  private readonly sums: Sums[] = [];
  /** Documents that arrived, by minute. */
  private readonly arrivals = new Map<number, number>();
  private documents = 0;
  private replies = 0;
  private firstAt = Number.POSITIVE_INFINITY;
  private lastAt = Number.NEGATIVE_INFINITY;

  add(document: DocumentRow): void {
    const { startedAt, endedAt, attempts } = document;
    this.replies += attempts.length;
    this.documents += 1;
    this.firstAt = Math.min(this.firstAt, startedAt);
    this.lastAt = Math.max(this.lastAt, startedAt);
    const minute = Math.floor(startedAt / minuteMs);
    this.arrivals.set(minute, (this.arrivals.get(minute) ?? 0) + 1);
    // One without a reply held a slot and was paid for as well: the longest of all are among them.
    const made = endedAt === null ? attempts.length : attemptsMade(document);
    for (let attempt = 1; attempt <= made; attempt += 1) {
      const each = madeAttempt(document, attempt);
      if (each === null) continue;
      const sums = this.sums[attempt - 1] ?? { attempts: 0, busyMs: 0, tokens: 0, cost: [] };
      this.sums[attempt - 1] = sums;
      sums.attempts += 1;
      sums.busyMs += busyMsOf(each, document, startedAt);
      sums.tokens += each.tokens;
      sums.cost = addCost(sums.cost, each.cost);
    }
  }

  /**
   * The measured part of a plan's numbers; null when no attempt had a reply. Documents per second are those of the busiest
   * minute; a day's are the mean over the days there were, of one at least.
   */
  figures(
    curve: readonly MeasuredYield[],
  ): Pick<PlanInput, 'measuredRuns' | 'peakPerSecond' | 'documentsPerDay' | 'attempts'> | null {
    if (this.replies === 0) return null;
    let most = 0;
    for (const documents of this.arrivals.values()) most = Math.max(most, documents);
    const days = Math.max(1, (this.lastAt - this.firstAt) / dayMs);
    return {
      measuredRuns: this.documents,
      peakPerSecond: (most * 1_000) / minuteMs,
      documentsPerDay: this.documents / days,
      attempts: curve.map((point, index) => this.attempt(point, index)),
    };
  }

  private attempt(point: MeasuredYield, index: number): AttemptFigures {
    const { attempts, busyMs, tokens, cost } = this.sums[index] ?? {
      attempts: 1,
      busyMs: 0,
      tokens: 0,
      cost: [],
    };
    // Of several currencies none can stand for all.
    const [only, another] = cost;
    return {
      cumulativePass: point.cumulative.share ?? 0,
      reached: point.reached / this.documents,
      meanMs: Math.max(1, busyMs / attempts),
      p99Ms: point.p99Ms,
      wrongShare: wrongShareOf(point),
      tokens: tokens / attempts,
      cost: only === undefined || another !== undefined ? null : divided(only, attempts),
    };
  }
}

/** Of the records that this attempt verified; null when nobody looked at any, or there are none. */
function wrongShareOf({ conditional, netConditional }: MeasuredYield): number | null {
  if (conditional.share === null || conditional.share === 0 || netConditional.share === null) return null;
  return 1 - netConditional.share / conditional.share;
}
