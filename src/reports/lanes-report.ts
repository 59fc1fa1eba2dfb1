import type { Measure } from './measure.js';
import { attemptsMade, busyMsOf, type DocumentRow, madeAttempt } from './rows.js';

export interface LaneLines {
  readonly lane: 'first' | 'repair';
  /** Slots that calls kept busy, on average over each stretch of time. */
  readonly lines: readonly { readonly from: number; readonly busy: number }[];
}

/** Lanes over time, as the calls that were made tell it. */
export class LanesMeasure implements Measure {
  private readonly lineMs: number;
  private readonly now: number;
  private readonly busyMs = { first: new Map<number, number>(), repair: new Map<number, number>() };

  /** `now`: when calls that are on the wire are looked at. */
  constructor(lineMs: number, now: number) {
    this.lineMs = lineMs;
    this.now = now;
  }

  add(document: DocumentRow): void {
    for (let attempt = 1; attempt <= attemptsMade(document); attempt += 1) {
      const made = madeAttempt(document, attempt);
      if (made === null) continue;
      const end = 'endedAt' in made ? made.endedAt : (document.endedAt ?? this.now);
      const busyMs = busyMsOf(made, document, this.now);
      const lane = attempt === 1 ? 'first' : 'repair';
      this.spread(lane, made.startedAt, end, busyMs);
    }
  }

  /** Lines from the first to the last call, those in which nothing happened included. */
  report(): readonly LaneLines[] {
    const froms = [...this.busyMs.first.keys(), ...this.busyMs.repair.keys()];
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const from of froms) [first, last] = [Math.min(first, from), Math.max(last, from)];
    const count = froms.length === 0 ? 0 : (last - first) / this.lineMs + 1;
    return (['first', 'repair'] as const).map((lane) => ({
      lane,
      lines: Array.from({ length: count }, (_, index) => {
        const from = first + index * this.lineMs;
        return { from, busy: (this.busyMs[lane].get(from) ?? 0) / this.lineMs };
      }),
    }));
  }

  /** The time that calls took lies somewhere between the attempt's beginning and its end, pauses between them too. */
  private spread(lane: 'first' | 'repair', start: number, end: number, busyMs: number): void {
    const { lineMs } = this;
    const length = Math.max(1, end - start);
    for (let from = Math.floor(start / lineMs) * lineMs; from < start + length; from += lineMs) {
      const within = Math.min(start + length, from + lineMs) - Math.max(start, from);
      const lines = this.busyMs[lane];
      lines.set(from, (lines.get(from) ?? 0) + Math.min(busyMs, length) * (within / length));
    }
  }
}
