import { Samples, type Spread, spreadOf } from '../planner/samples.js';
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
  readonly openSince: Samples;
}

const mostAges = 1_000;

/** Latency of the whole population; `lineMs` is usually an hour: repairs cluster within hours, and a week hides that. */
export class LatencyMeasure implements Measure {
  private readonly lines = new Map<number, Line>();
  private readonly lineMs: number;

  constructor(lineMs: number) {
    this.lineMs = lineMs;
  }

  add({ startedAt, endedAt }: DocumentRow): void {
    const from = Math.floor(startedAt / this.lineMs) * this.lineMs;
    const line = this.lines.get(from) ?? { ended: new Samples(), openSince: new Samples() };
    this.lines.set(from, line);
    if (endedAt === null) line.openSince.add(startedAt);
    else line.ended.add(endedAt - startedAt);
  }

  /** As seen at `now` (epoch ms). */
  report(now: number): LatencyReport {
    const [ended, open] = [new Samples(), new Samples()];
    const lines = [...this.lines]
      .sort(([one], [other]) => one - other)
      .map(([from, line]) => {
        const ages = new Samples();
        for (const since of line.openSince.all()) ages.add(now - since);
        for (const each of line.ended.all()) ended.add(each);
        for (const age of ages.all()) open.add(age);
        return { from, ...spreadOf(line.ended, ages) };
      });
    const openMs = [...open.sorted().slice(-mostAges)].reverse();
    return { lineMs: this.lineMs, all: spreadOf(ended, open), lines, openMs };
  }
}
