import { allowedRepairs, type RepairBudget } from '../domain/repair-budget.js';
import { Samples } from '../planner/samples.js';
import type { Measure } from './measure.js';
import { attemptsMade, type DocumentRow, madeAttempt } from './rows.js';

/** Repairs against primary calls, over all and in the window that came closest to the budget. */
export interface RepairShareReport {
  readonly primaries: number;
  readonly repairs: number;
  /** Repairs per primary call; null without any. An average over days hides the hour in which repairs cluster. */
  readonly share: number | null;
  /** Null when there was no repair. */
  readonly tightest: WindowUse | null;
  /** Documents that ended because the budget was used up. */
  readonly refused: number;
  /** The share of the window that ends at each of these instants; at most 240, evenly over the time of all calls. */
  readonly windows: readonly { readonly until: number; readonly share: number | null }[];
}

export interface WindowUse {
  /** When the window ended: at one of its repairs. */
  readonly until: number;
  readonly primaries: number;
  readonly repairs: number;
  readonly allowed: number;
}

const mostWindows = 240;

/** When attempts of either kind began. */
export interface RepairTimes {
  readonly primaries: Samples;
  readonly repairs: Samples;
  refused: number;
}

export const noRepairs = (): RepairTimes => ({
  primaries: new Samples(),
  repairs: new Samples(),
  refused: 0,
});

/** Repairs as a share of primary calls, in windows that slide. */
export class RepairShareMeasure implements Measure {
  private readonly state: RepairTimes;

  /** `state` is what it goes on from, and adds to. */
  constructor(state: RepairTimes = noRepairs()) {
    this.state = state;
  }

  add(document: DocumentRow): void {
    if (document.reason === 'repair_budget') this.state.refused += 1;
    for (let attempt = 1; attempt <= attemptsMade(document); attempt += 1) {
      const made = madeAttempt(document, attempt);
      if (made !== null) (attempt === 1 ? this.state.primaries : this.state.repairs).add(made.startedAt);
    }
  }

  report(budget: RepairBudget): RepairShareReport {
    const [primaries, repairs] = [this.state.primaries.sorted(), this.state.repairs.sorted()];
    const use = slidingWindow(primaries, repairs, budget);
    let tightest: WindowUse | null = null;
    for (const until of repairs) {
      const next = use(until);
      if (tightest === null || next.repairs - next.allowed > tightest.repairs - tightest.allowed)
        tightest = next;
    }
    return {
      primaries: primaries.length,
      repairs: repairs.length,
      share: primaries.length === 0 ? null : repairs.length / primaries.length,
      tightest,
      refused: this.state.refused,
      windows: windowsOf(primaries, repairs, budget),
    };
  }
}

/** What the window that ends at an instant holds, the instant included. Instants must be asked for in order. */
function slidingWindow(
  primaries: Float64Array,
  repairs: Float64Array,
  budget: RepairBudget,
): (until: number) => WindowUse {
  const count = (times: Float64Array) => {
    let [first, last] = [0, 0];
    return (from: number, until: number) => {
      while (first < times.length && (times[first] as number) <= from) first += 1;
      while (last < times.length && (times[last] as number) <= until) last += 1;
      return last - first;
    };
  };
  const [primariesIn, repairsIn] = [count(primaries), count(repairs)];
  return (until) => {
    const from = until - budget.windowMs;
    const within = primariesIn(from, until);
    return {
      until,
      primaries: within,
      repairs: repairsIn(from, until),
      allowed: allowedRepairs(budget, within),
    };
  };
}

function windowsOf(primaries: Float64Array, repairs: Float64Array, budget: RepairBudget) {
  const [first, last] = [primaries[0], Math.max(primaries.at(-1) ?? 0, repairs.at(-1) ?? 0)];
  if (first === undefined) return [];
  const use = slidingWindow(primaries, repairs, budget);
  const step = Math.max(1_000, Math.ceil((last - first) / (mostWindows - 1)));
  return Array.from({ length: Math.ceil((last - first) / step) + 1 }, (_, index) => {
    const until = Math.min(last, first + index * step);
    const within = use(until);
    return { until, share: within.primaries === 0 ? null : within.repairs / within.primaries };
  });
}
