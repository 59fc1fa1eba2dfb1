import type { RepairBudget } from '../domain/repair-budget.js';

/** Counts beyond this are not counted on: whoever watches knows enough, and looking stays cheap. */
export const mostCounted = 10_000;

/** What waits in the store at one instant. Counts end at `mostCounted`; an instant is null when nothing waits. */
export interface StoreGauges {
  readonly openExtractions: number;
  readonly oldestOpenStartedAt: number | null;
  /** Open runs whose deadline has passed. */
  readonly overdueExtractions: number;
  readonly parkedDeadLetters: number;
  readonly openReviews: number;
  readonly oldestReviewCreatedAt: number | null;
  readonly overdueReviews: number;
  readonly pendingDeliveries: number;
  /** When the event of the oldest delivery that is still due happened. */
  readonly oldestDeliveryCreatedAt: number | null;
}

/** Traffic of one spec within the window of its repair budget. */
export interface RepairTraffic {
  readonly specId: string;
  readonly primaries: number;
  readonly repairs: number;
}

/** What is looked at from time to time by whoever watches. Every question is bounded and answered along an index. */
export interface GaugeStore {
  read(at: number): Promise<StoreGauges>;
  repairTraffic(
    specs: readonly { readonly specId: string; readonly budget: RepairBudget }[],
    at: number,
  ): Promise<readonly RepairTraffic[]>;
}
