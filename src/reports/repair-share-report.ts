import { allowedRepairs, type RepairBudget } from '../domain/repair-budget.js';
import type { DocumentRow } from './rows.js';

/** Repairs against primary calls, over all and in the window that came closest to the budget. */
export interface RepairShareReport {
  readonly primaries: number;
  readonly repairs: number;
  /** Repairs per primary call; null without any. An average over days hides the hour in which repairs cluster. */
  readonly share: number | null;
  /** Null when there was no repair. */
  readonly tightest: WindowUse | null;
}

export interface WindowUse {
  /** When the window ended: at one of its repairs. */
  readonly until: number;
  readonly primaries: number;
  readonly repairs: number;
  readonly allowed: number;
}

export function repairShareReport(
  documents: readonly DocumentRow[],
  budget: RepairBudget,
): RepairShareReport {
  const starts = (from: number, to?: number) =>
    documents
      .flatMap(({ attempts }) => attempts.slice(from, to).map(({ startedAt }) => startedAt))
      .sort((one, other) => one - other);
  const [primaries, repairs] = [starts(0, 1), starts(1)];
  const at = (times: readonly number[], place: number) => times[place] ?? Number.POSITIVE_INFINITY;
  let tightest: WindowUse | null = null;
  let firstPrimary = 0;
  let lastPrimary = 0;
  let firstRepair = 0;
  for (const [index, until] of repairs.entries()) {
    const from = until - budget.windowMs;
    while (at(primaries, firstPrimary) <= from) firstPrimary += 1;
    while (at(primaries, lastPrimary) <= until) lastPrimary += 1;
    while (at(repairs, firstRepair) <= from) firstRepair += 1;
    const within = lastPrimary - firstPrimary;
    const allowed = allowedRepairs(budget, within);
    const use = { until, primaries: within, repairs: index + 1 - firstRepair, allowed };
    if (tightest === null || use.repairs - use.allowed > tightest.repairs - tightest.allowed) tightest = use;
  }
  const share = primaries.length === 0 ? null : repairs.length / primaries.length;
  return { primaries: primaries.length, repairs: repairs.length, share, tightest };
}
