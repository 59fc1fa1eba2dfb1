import { createLogObserver, type LineLogger } from '../adapters/log/observer.js';
import { createApiMetrics, createWorkerMetrics } from '../adapters/prometheus/metrics.js';
import { createMetricsObserver } from '../adapters/prometheus/observer.js';
import { createStoreGauges } from '../adapters/prometheus/store-gauges.js';
import type { Lane } from '../domain/lane.js';
import type { Breaker } from '../ports/breaker.js';
import { type Observer, observers } from '../ports/observer.js';
import type { Store } from '../ports/store.js';
import type { Tracing } from '../ports/tracing.js';
import type { Exposition, Watch } from '../ports/watch.js';
import type { Catalogue } from '../spec/catalogue.js';

/** Watches a worker: counts and lines for what its activities tell, and what the SDK counts by itself. */
export function watchWorker(
  slots: Partial<Readonly<Record<Lane, number>>>,
  logger: LineLogger,
  sdkMetricsAddress: string | null,
  breaker: Pick<Breaker, 'breakers'>,
  catalogue: Catalogue,
): { readonly observer: Observer; readonly exposition: Exposition } {
  const metrics = createWorkerMetrics();
  const { registry } = metrics;
  return {
    observer: observers([createMetricsObserver(metrics, slots, idsOf(catalogue)), createLogObserver(logger)]),
    exposition: {
      contentType: registry.contentType,
      text: async () => {
        for (const { model, state } of breaker.breakers()) {
          metrics.breakerOpen.set({ model }, state === 'closed' ? 0 : 1);
        }
        const own = await registry.metrics();
        return sdkMetricsAddress === null
          ? own
          : `${own}\n${await textAt(`http://${sdkMetricsAddress}/metrics`)}`;
      },
    },
  };
}

async function textAt(url: string): Promise<string> {
  try {
    return await (await fetch(url, { signal: AbortSignal.timeout(2_000) })).text();
  } catch {
    return '';
  }
}

/** Watches the API, and shows what waits in the store. */
export function watchApi(
  { gauges }: Pick<Store, 'gauges'>,
  catalogue: Catalogue,
  tracing: Tracing,
  now: () => number,
): Watch {
  const metrics = createApiMetrics();
  const budgets = idsOf(catalogue).flatMap((specId) => {
    const budget = catalogue.current(specId)?.repairBudget;
    return budget === undefined ? [] : [{ specId, budget }];
  });
  const readStore = createStoreGauges(metrics, { gauges, budgets, now });
  return {
    contentType: metrics.registry.contentType,
    text: async () => {
      await readStore();
      return await metrics.registry.metrics();
    },
    requestAnswered: (method, route, status, durationMs) => {
      metrics.requests.inc({ method, route, status: String(status) });
      metrics.requestSeconds.observe({ method, route }, durationMs / 1_000);
    },
    continued: tracing.continued,
  };
}

function idsOf(catalogue: Catalogue): readonly string[] {
  return [...new Set(catalogue.list().map(({ id }) => id))];
}
