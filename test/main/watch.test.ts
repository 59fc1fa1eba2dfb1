import { describe, expect, it } from 'vitest';
import specs from '../../specs/index.js';
import { createTracing } from '../../src/adapters/opentelemetry/tracing.js';
import { watchApi, watchWorker } from '../../src/main/watch.js';
import type { BreakerState } from '../../src/ports/breaker.js';
import { createCatalogue } from '../../src/spec/catalogue.js';

const catalogue = createCatalogue(specs);
const logger = { info: () => undefined, debug: () => undefined };
const open: BreakerState = { model: 'm', state: 'open', since: 0, cause: 'stalled', nextProbeAt: 1 };
const breaker = { breakers: () => [open] };
const namesIn = (text: string) => [...text.matchAll(/^# TYPE endstop_(\w+)/gm)].map(([, name]) => name);

describe('what processes show of themselves', () => {
  it('a worker tells what it does, and nothing of the store, of which it would know only zeros', async () => {
    const watching = watchWorker({ first: 3, repair: 1 }, logger, null, breaker, catalogue);
    const text = await watching.exposition.text();
    expect(text).toContain('endstop_lane_slots{lane="first",state="free"} 3\n');
    expect(text).toContain('endstop_breaker_open{model="m"} 1\n');
    expect(text).toContain(
      'endstop_extractions_total{spec="claim",outcome="unverified",reason="internal_error",route="dead_letter"} 0\n',
    );
    expect(namesIn(text)).toEqual(expect.arrayContaining(['calls_total', 'webhook_tries_total']));
    const ofTheApi = /^(store|http|open|overdue|oldest|parked|review|outbox|repair_budget)_/;
    expect(namesIn(text).filter((name) => ofTheApi.test(name ?? ''))).toEqual([]);
  });

  it('the API tells what it answers and what waits in the store, and nothing of work', async () => {
    const gauges = {
      read: async () => ({
        ...{ openExtractions: 7, oldestOpenStartedAt: null, overdueExtractions: 0, parkedDeadLetters: 0 },
        ...{ openReviews: 0, oldestReviewCreatedAt: null, overdueReviews: 0 },
        ...{ pendingDeliveries: 0, oldestDeliveryCreatedAt: null },
      }),
      repairTraffic: async () => [],
    };
    const watch = watchApi({ gauges }, catalogue, createTracing(), () => 10_000);
    watch.requestAnswered('GET', '/healthz', 200, 1);
    const text = await watch.text();
    expect(text).toContain('endstop_store_up 1\n');
    expect(text).toContain('endstop_open_extractions 7\n');
    expect(text).toContain('endstop_http_requests_total{method="GET",route="/healthz",status="200"} 1\n');
    expect(namesIn(text).filter((name) => /lane|call|attempt|permit|webhook/.test(name ?? ''))).toEqual([]);
  });
});
