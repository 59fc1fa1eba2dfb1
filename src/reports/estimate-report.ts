import { Samples } from '../planner/samples.js';
import type { Measure } from './measure.js';
import { attemptsMade, type DocumentRow } from './rows.js';

/** How often the expected duration of an attempt was wrong, and what that cost. */
export interface EstimateReport {
  /** Attempts begun. */
  readonly begun: number;
  /** Begun although the deadline came first, with what they cost: estimated too short. */
  readonly wasted: number;
  readonly wastedTokens: number;
  /** Documents that ended because the next attempt was not expected to fit. */
  readonly refused: number;
  /**
   * How many of those attempts would have fitted, had they lasted as long as attempts of the same number did: each counts
   * with the share of those that took no longer than it had left. Estimated too long.
   */
  readonly expectedEarly: number;
  /** Deadlines that passed while nothing was on the wire: waiting for a slot, or between calls. */
  readonly waitedAway: number;
}

export class EstimateMeasure implements Measure {
  private begun = 0;
  private wasted = 0;
  private wastedTokens = 0;
  private waitedAway = 0;
  /** Durations by attempt from 1 at index 0. */
  private readonly durations: Samples[] = [];
  private readonly refusals: { readonly attempt: number; readonly leftMs: number }[] = [];

  add(document: DocumentRow): void {
    const { attempts, unanswered, reason, endedAt, deadlineAt } = document;
    this.begun += attemptsMade(document);
    for (const [index, { durationMs }] of attempts.entries()) {
      const durations = this.durations[index] ?? new Samples();
      this.durations[index] = durations;
      durations.add(durationMs);
    }
    if (reason !== 'deadline' || endedAt === null) return;
    const leftMs = deadlineAt - endedAt;
    if (unanswered !== null && unanswered.calls > unanswered.failedCalls) {
      this.wasted += 1;
      this.wastedTokens += unanswered.tokens;
    } else if (leftMs <= 0 || unanswered !== null) {
      this.waitedAway += 1;
    } else {
      this.refusals.push({ attempt: attempts.length + 1, leftMs });
    }
  }

  report(): EstimateReport {
    const sorted = this.durations.map((samples) => samples.sorted());
    const { begun, wasted, wastedTokens, waitedAway } = this;
    const expectedEarly = this.refusals.reduce((sum, { attempt, leftMs }) => {
      // Where no attempt of this number was ever made, the one before it is the best guess.
      const durations = sorted[attempt - 1] ?? sorted.at(-1) ?? new Float64Array();
      return sum + (durations.length === 0 ? 0 : countUpTo(durations, leftMs) / durations.length);
    }, 0);
    return { begun, wasted, wastedTokens, refused: this.refusals.length, expectedEarly, waitedAway };
  }
}

/** How many of these ascending values are at most `most`. */
function countUpTo(values: Float64Array, most: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] as number) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
