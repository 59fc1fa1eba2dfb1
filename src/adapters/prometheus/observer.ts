import type { Lane } from '../../domain/lane.js';
import { isSystemic, reasons } from '../../domain/reason.js';
import type { Observer } from '../../ports/observer.js';
import type { WorkerMetrics } from './metrics.js';

/** Reasons that ask an operator to act; runs that end for them are always parked. */
const systemic = reasons.filter((reason) => isSystemic(reason, 1));

/**
 * Counts what it is told. `slots`: how many attempts this process works on at once in each lane it serves. `specIds`:
 * those it knows, whose rare endings are there as 0, since to Prometheus a series that begins with 1 has not grown.
 */
export function createMetricsObserver(
  metrics: WorkerMetrics,
  slots: Partial<Readonly<Record<Lane, number>>>,
  specIds: readonly string[],
): Observer {
  const used = new Map<Lane, number>();
  const show = (lane: Lane, change: number) => {
    const now = (used.get(lane) ?? 0) + change;
    used.set(lane, now);
    metrics.laneSlots.set({ lane, state: 'used' }, now);
    metrics.laneSlots.set({ lane, state: 'free' }, Math.max(0, (slots[lane] ?? 0) - now));
  };
  for (const lane of Object.keys(slots) as Lane[]) show(lane, 0);
  for (const spec of specIds) {
    for (const reason of systemic)
      metrics.extractions.inc({ spec, outcome: 'unverified', reason, route: 'dead_letter' }, 0);
  }
  return {
    slotTaken: (lane) => {
      show(lane, 1);
      return () => show(lane, -1);
    },
    callEnded: ({ ref, lane, model, mode, result, usage, spending, durationMs }) => {
      const spec = ref.specId;
      metrics.calls.inc({ spec, lane, model, mode: mode ?? 'default', result });
      metrics.callSeconds.observe({ lane, model }, durationMs / 1_000);
      const { amount, currency } = spending.cost;
      metrics.cost.inc({ spec, model, currency }, Number(amount));
      if (usage === 'unknown') return;
      metrics.tokens.inc({ spec, model, kind: 'input' }, usage.inputTokens);
      metrics.tokens.inc({ spec, model, kind: 'output' }, usage.outputTokens);
      metrics.tokens.inc({ spec, model, kind: 'cache_read' }, usage.cacheReadTokens);
    },
    attemptEnded: ({ ref, mode, report, durationMs }) => {
      const { lane, model, result } = report;
      const failure = result.kind === 'accepted' ? 'accepted' : result.failureClass;
      metrics.attempts.inc({ spec: ref.specId, lane, model, mode, class: failure });
      metrics.attemptSeconds.observe({ lane, model }, durationMs / 1_000);
      for (const { kind, count } of report.normalisations) {
        metrics.normalisations.inc({ spec: ref.specId, kind }, count);
      }
    },
    attemptFailed: ({ lane, model }, fault) => metrics.attemptFaults.inc({ lane, model, fault }),
    permitDecided: ({ specId }, _attempt, granted) =>
      metrics.permits.inc({ spec: specId, granted: String(granted) }),
    runEnded: ({ ref, outcome, reason, route, durationMs }) => {
      const spec = ref.specId;
      metrics.extractions.inc({ spec, outcome, reason: reason ?? 'none', route: route ?? 'none' });
      metrics.extractionSeconds.observe({ spec, outcome }, durationMs / 1_000);
    },
    webhookTried: ({ result, durationMs }) => {
      metrics.webhookTries.inc({ result });
      metrics.webhookSeconds.observe(durationMs / 1_000);
    },
  };
}
