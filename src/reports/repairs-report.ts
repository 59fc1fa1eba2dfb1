import type { RepairBudget } from '../domain/repair-budget.js';
import type { Measure } from './measure.js';
import {
  noRepairs,
  RepairShareMeasure,
  type RepairShareReport,
  type RepairTimes,
} from './repair-share-report.js';
import type { DocumentRow } from './rows.js';

export interface RepairsOfSpec extends RepairShareReport {
  readonly specId: string;
  /** Null: this spec is not known here any more, and its repairs are measured against nothing. */
  readonly budget: RepairBudget | null;
}

/** Without a budget of its own, a window as long as most specs have: its share is shown, and nothing is allowed for. */
const unbudgeted: RepairBudget = { share: 0, floor: 0, windowMs: 300_000 };

/** Repairs of each spec: budgets belong to one each, and are never added up. */
export class RepairsMeasure implements Measure {
  readonly state = new Map<string, RepairTimes>();

  add(document: DocumentRow): void {
    const times = this.state.get(document.specId) ?? noRepairs();
    this.state.set(document.specId, times);
    new RepairShareMeasure(times).add(document);
  }

  report(budgetOf: (specId: string) => RepairBudget | null): readonly RepairsOfSpec[] {
    return [...this.state]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([specId, times]) => {
        const budget = budgetOf(specId);
        return { specId, budget, ...new RepairShareMeasure(times).report(budget ?? unbudgeted) };
      });
  }
}
