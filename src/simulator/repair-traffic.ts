import { permitFits, type RepairBudget } from '../domain/repair-budget.js';

/** Calls of the sliding window, in order; old ones fall off in front. */
class Window {
  private times: number[] = [];
  private head = 0;

  add(at: number): void {
    this.times.push(at);
  }

  /** How many lie after `from`. Instants must be asked for in order. */
  countAfter(from: number): number {
    while ((this.times[this.head] ?? Number.POSITIVE_INFINITY) <= from) this.head += 1;
    if (this.head > 1_024 && this.head * 2 > this.times.length) {
      this.times = this.times.slice(this.head);
      this.head = 0;
    }
    return this.times.length - this.head;
  }
}

/** The repair budget over simulated time. Null: every repair is permitted. */
export class RepairTraffic {
  private readonly budget: RepairBudget | null;
  private readonly primaries = new Window();
  private readonly repairs = new Window();

  constructor(budget: RepairBudget | null) {
    this.budget = budget;
  }

  primary(now: number): void {
    if (this.budget !== null) this.primaries.add(now);
  }

  /** Takes a permit, and says whether there was one. Permits that were granted are not given back. */
  permit(now: number): boolean {
    if (this.budget === null) return true;
    const from = now - this.budget.windowMs;
    const traffic = { primaries: this.primaries.countAfter(from), repairs: this.repairs.countAfter(from) };
    const granted = permitFits(this.budget, traffic);
    if (granted) this.repairs.add(now);
    return granted;
  }
}
