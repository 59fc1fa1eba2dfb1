import { Samples } from '../planner/samples.js';
import type { Measure } from './measure.js';
import { mostAtOnce } from './most-at-once.js';
import {
  type AttemptRow,
  attemptsMade,
  busyMsOf,
  type DocumentRow,
  madeAttempt,
  type OnWire,
  type UnansweredRow,
} from './rows.js';

export interface LanePeak {
  readonly lane: 'first' | 'repair';
  /** The most calls that were on the wire at one instant, however short. */
  readonly peak: number;
}

/** How many calls each lane had on the wire at once. */
export class PeaksMeasure implements Measure {
  private readonly now: number;
  readonly state = {
    first: { beginnings: new Samples(), ends: new Samples() },
    repair: { beginnings: new Samples(), ends: new Samples() },
  };

  /** `now`: when calls that are on the wire are looked at. */
  constructor(now: number) {
    this.now = now;
  }

  add(document: DocumentRow): void {
    for (let attempt = 1; attempt <= attemptsMade(document); attempt += 1) {
      const made = madeAttempt(document, attempt);
      if (made === null) continue;
      const { beginnings, ends } = this.state[attempt === 1 ? 'first' : 'repair'];
      for (const [from, to] of this.callsOf(made, document)) {
        beginnings.add(from);
        // One that took no measurable time was there all the same.
        ends.add(Math.max(from + 1, to));
      }
    }
  }

  report(): readonly LanePeak[] {
    return (['first', 'repair'] as const).map((lane) => {
      const { beginnings, ends } = this.state[lane];
      return { lane, peak: mostAtOnce(beginnings.sorted(), ends.sorted()) };
    });
  }

  /** Calls with both ends: one that nobody saw end held its slot as long as `busyMsOf` says. */
  private callsOf(made: AttemptRow | UnansweredRow, document: DocumentRow): readonly OnWire[] {
    const since = 'onWireSince' in made ? made.onWireSince : null;
    if (since === null) return made.onWire;
    return [...made.onWire, [since, since + busyMsOf(made, document, this.now) - made.busyMs]];
  }
}
