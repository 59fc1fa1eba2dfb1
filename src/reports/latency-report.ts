import { Samples, Series, type Spread, spreadOf } from '../planner/samples.js';
import type { Measure } from './measure.js';
import type { DocumentRow } from './rows.js';

/** How long documents took that began within a stretch of time, open ones counted as longer than so far. */
export interface LatencyLine extends Spread {
  readonly from: number;
}

export interface LatencyReport {
  readonly lineMs: number;
  readonly all: Spread;
  /** One line for each stretch in which documents began, in order. */
  readonly lines: readonly LatencyLine[];
  /** Present ages of those that are open, the oldest first; a thousand at most. */
  readonly openMs: readonly number[];
}

interface Line {
  readonly ended: Samples;
  readonly openMs: Samples;
}

const mostAges = 1_000;

/** Latency of the whole population; a line is usually an hour: repairs cluster within hours, and a week hides that. */
export class LatencyMeasure implements Measure {
  /** When those that ended began, and in the same order how long they took; when those began that are open. */
  readonly state = { startedAt: new Series(), tookMs: new Series(), openSince: new Samples() };

  add({ startedAt, endedAt }: DocumentRow): void {
    const { state } = this;
    if (endedAt === null) {
      state.openSince.add(startedAt);
      return;
    }
    state.startedAt.add(startedAt);
    state.tookMs.add(endedAt - startedAt);
  }

  /** From the beginning of the first document to that of the last; 0 without any. */
  spanMs(): number {
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const samples of [this.state.startedAt, this.state.openSince]) {
      for (const at of samples.all()) {
        first = Math.min(first, at);
        last = Math.max(last, at);
      }
    }
    return Math.max(0, last - first);
  }

  /** As seen at `now` (epoch ms), in lines of this length. */
  report(now: number, lineMs: number): LatencyReport {
    const { startedAt, tookMs, openSince } = this.state;
    const found = new Map<number, Line>();
    let [last, lastFrom] = [undefined as Line | undefined, 0];
    const lineOf = (at: number) => {
      // Most begin soon after one another.
      if (last !== undefined && at >= lastFrom && at < lastFrom + lineMs) return last;
      lastFrom = Math.floor(at / lineMs) * lineMs;
      last = found.get(lastFrom) ?? { ended: new Samples(), openMs: new Samples() };
      found.set(lastFrom, last);
      return last;
    };
    const [began, took] = [startedAt.all(), tookMs.all()];
    for (let index = 0; index < began.length; index += 1)
      lineOf(began[index] as number).ended.add(took[index] as number);
    const open = new Samples();
    for (const since of openSince.all()) {
      open.add(now - since);
      lineOf(since).openMs.add(now - since);
    }
    const lines = [...found]
      .sort(([one], [other]) => one - other)
      .map(([from, line]) => ({ from, ...spreadOf(line.ended, line.openMs) }));
    const openMs = [...open.sorted().slice(-mostAges)].reverse();
    return { lineMs, all: spreadOf(tookMs, open), lines, openMs };
  }
}
