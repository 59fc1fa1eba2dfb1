import { allowedRepairs, type RepairBudget } from '../../domain/repair-budget.js';
import type { GaugeStore } from '../../ports/gauge-store.js';
import type { ApiMetrics } from './metrics.js';

export interface StoreGaugesOptions {
  readonly gauges: GaugeStore;
  /** The budget of each spec, the current version of each. */
  readonly budgets: readonly { readonly specId: string; readonly budget: RepairBudget }[];
  now(): number;
}

/** However often it is scraped, and by however many, the store is asked this seldom. */
const keptMs = 5_000;

/** Reads the store when the metrics are asked for. In one process only: these values are everybody's. */
export function createStoreGauges(metrics: ApiMetrics, options: StoreGaugesOptions): () => Promise<void> {
  const { gauges, budgets, now } = options;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  const read = async () => {
    const at = now();
    const ageOf = (instant: number | null) => (instant === null ? 0 : Math.max(0, at - instant) / 1_000);
    try {
      const [waiting, traffic] = await Promise.all([gauges.read(at), gauges.repairTraffic(budgets, at)]);
      metrics.open.set(waiting.openExtractions);
      metrics.overdue.set(waiting.overdueExtractions);
      metrics.oldestOpen.set(ageOf(waiting.oldestOpenStartedAt));
      metrics.deadLetters.set(waiting.parkedDeadLetters);
      metrics.reviews.set(waiting.openReviews);
      metrics.overdueReviews.set(waiting.overdueReviews);
      metrics.reviewAge.set(ageOf(waiting.oldestReviewCreatedAt));
      metrics.outbox.set(waiting.pendingDeliveries);
      metrics.outboxAge.set(ageOf(waiting.oldestDeliveryCreatedAt));
      for (const { specId, primaries, repairs } of traffic) {
        const budget = budgets.find((known) => known.specId === specId)?.budget;
        metrics.repairsUsed.set({ spec: specId }, repairs);
        if (budget !== undefined)
          metrics.repairsAllowed.set({ spec: specId }, allowedRepairs(budget, primaries));
      }
      metrics.storeUp.set(1);
    } catch {
      // Old values would look like news: what was read last stays out of the answer until the store is back.
      forget(metrics);
      metrics.storeUp.set(0);
    }
    readAt = at;
  };
  return async () => {
    if (now() - readAt < keptMs) return;
    reading ??= read().finally(() => {
      reading = null;
    });
    await reading;
  };
}

function forget(metrics: ApiMetrics): void {
  const { open, overdue, oldestOpen, deadLetters, reviews, overdueReviews, reviewAge, outbox, outboxAge } =
    metrics;
  // A reset would leave each of these as 0, which says that nothing waits.
  const counts = [
    open,
    overdue,
    oldestOpen,
    deadLetters,
    reviews,
    overdueReviews,
    reviewAge,
    outbox,
    outboxAge,
  ];
  for (const count of counts) count.remove();
  for (const perSpec of [metrics.repairsUsed, metrics.repairsAllowed]) perSpec.reset();
}
