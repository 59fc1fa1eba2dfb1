import { describe, expect, it } from 'vitest';
import { createApiMetrics } from '../../../src/adapters/prometheus/metrics.js';
import { createStoreGauges } from '../../../src/adapters/prometheus/store-gauges.js';
import type { StoreGauges } from '../../../src/ports/gauge-store.js';

const waiting: StoreGauges = {
  openExtractions: 7,
  oldestOpenStartedAt: 40_000,
  overdueExtractions: 1,
  parkedDeadLetters: 3,
  openReviews: 2,
  oldestReviewCreatedAt: null,
  overdueReviews: 0,
  pendingDeliveries: 5,
  oldestDeliveryCreatedAt: 97_500,
};

function scene() {
  const metrics = createApiMetrics();
  const world = { now: 100_000, reads: 0, isDown: false };
  const read = createStoreGauges(metrics, {
    budgets: [{ specId: 'claim', budget: { share: 0.1, floor: 10, windowMs: 300_000 } }],
    gauges: {
      read: async () => {
        world.reads += 1;
        if (world.isDown) throw new Error('down');
        return waiting;
      },
      repairTraffic: async () => [{ specId: 'claim', primaries: 400, repairs: 12 }],
    },
    now: () => world.now,
  });
  const lineOf = async (name: string) =>
    (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith(`endstop_${name}`));
  return { world, read, lineOf };
}

describe('what waits in the store', () => {
  it('is shown as counts, as ages in seconds, and against the repair budget', async () => {
    const { read, lineOf } = scene();
    await read();
    expect(await lineOf('open_extractions')).toEqual(['endstop_open_extractions 7']);
    expect(await lineOf('oldest_open')).toEqual(['endstop_oldest_open_extraction_age_seconds 60']);
    expect(await lineOf('review_queue_age')).toEqual(['endstop_review_queue_age_seconds 0']);
    expect(await lineOf('outbox_age')).toEqual(['endstop_outbox_age_seconds 2.5']);
    expect(await lineOf('repair_budget')).toEqual([
      'endstop_repair_budget_used{spec="claim"} 12',
      'endstop_repair_budget_allowed{spec="claim"} 40',
    ]);
    expect(await lineOf('store_up')).toEqual(['endstop_store_up 1']);
  });

  it('is read at most once in five seconds, however many ask', async () => {
    const { world, read } = scene();
    await Promise.all([read(), read(), read()]);
    await read();
    expect(world.reads).toBe(1);
    world.now += 5_000;
    await read();
    expect(world.reads).toBe(2);
  });

  it('is not shown as it was while the store is away', async () => {
    const { world, read, lineOf } = scene();
    await read();
    world.isDown = true;
    world.now += 10_000;
    await read();
    expect(await lineOf('store_up')).toEqual(['endstop_store_up 0']);
    expect(await lineOf('')).toEqual(['endstop_store_up 0']);
    world.isDown = false;
    world.now += 10_000;
    await read();
    expect(await lineOf('store_up')).toEqual(['endstop_store_up 1']);
    expect(await lineOf('open_extractions')).toEqual(['endstop_open_extractions 7']);
  });
});
