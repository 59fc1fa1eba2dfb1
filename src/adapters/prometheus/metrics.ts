import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds a call, an attempt or a webhook takes: from the fastest answer to a deadline's end. */
const work = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120];
/** Seconds a run takes, repairs and outages that were sat out included. */
const runs = [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 900, 1_800];
/** Seconds a request to the API takes; one that waits for an outcome is answered within a minute. */
const requests = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 20, 60];

const name = (rest: string) => `endstop_${rest}`;

/** Makes metrics of one registry. */
function createMakers() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    counter: <Label extends string>(metric: string, help: string, labelNames: readonly Label[]) =>
      new Counter({ name: name(metric), help, labelNames, registers }),
    gauge: <Label extends string>(metric: string, help: string, labelNames: readonly Label[]) =>
      new Gauge({ name: name(metric), help, labelNames, registers }),
    seconds: <Label extends string>(
      metric: string,
      help: string,
      labelNames: readonly Label[],
      buckets: number[],
    ) => new Histogram({ name: name(metric), help, labelNames, buckets, registers }),
  };
}

// A metric without labels is there, as 0, wherever it is registered: so each process has a registry of what it knows, and
// nothing else. Labels take words from closed lists, spec ids and model ids only: never a key, a tenant, a document or
// anything else that grows with use.

/** What workers do. */
export function createWorkerMetrics() {
  const { registry, counter, gauge, seconds } = createMakers();
  return {
    registry,
    extractions: counter('extractions_total', 'Runs that ended.', ['spec', 'outcome', 'reason', 'route']),
    extractionSeconds: seconds(
      'extraction_duration_seconds',
      'From the start of a run to its end.',
      ['spec', 'outcome'],
      runs,
    ),
    attempts: counter('attempts_total', 'Attempts that brought a report; class "accepted" or why not.', [
      'spec',
      'lane',
      'model',
      'mode',
      'class',
    ]),
    attemptSeconds: seconds(
      'attempt_duration_seconds',
      'An attempt from its start in a slot to its commit.',
      ['lane', 'model'],
      work,
    ),
    attemptFaults: counter('attempt_faults_total', 'Executions of attempts that brought no report.', [
      'lane',
      'model',
      'fault',
    ]),
    normalisations: counter('normalisations_total', 'Safe changes to bytes before they parsed.', [
      'spec',
      'kind',
    ]),
    calls: counter('calls_total', 'Requests to the model; result "answered" or what went wrong.', [
      'spec',
      'lane',
      'model',
      'mode',
      'result',
    ]),
    callSeconds: seconds('call_duration_seconds', 'A request to the model.', ['lane', 'model'], work),
    tokens: counter('tokens_total', 'Tokens as the provider counted them.', ['spec', 'model', 'kind']),
    cost: counter('cost_total', 'Money for calls, in units of the currency; estimates where unknown.', [
      'spec',
      'model',
      'currency',
    ]),
    permits: counter('repair_permits_total', 'Answers of the repair budget.', ['spec', 'granted']),
    laneSlots: gauge('lane_slots', 'Slots of a lane in this process.', ['lane', 'state']),
    breakerOpen: gauge('breaker_open', '1 while calls of this process to a model are suspended, else 0.', [
      'model',
    ]),
    webhookTries: counter('webhook_tries_total', 'Requests to webhook endpoints.', ['result']),
    webhookSeconds: seconds('webhook_try_duration_seconds', 'A request to a webhook endpoint.', [], work),
  };
}

/** What the API answers, and what waits in the store: everybody's, so told by the API alone. */
export function createApiMetrics() {
  const { registry, counter, gauge, seconds } = createMakers();
  return {
    registry,
    requests: counter('http_requests_total', 'Requests that the API answered.', [
      'method',
      'route',
      'status',
    ]),
    requestSeconds: seconds(
      'http_request_duration_seconds',
      'From a request to its answer.',
      ['method', 'route'],
      requests,
    ),
    storeUp: gauge('store_up', '1 when the store answered when it was last looked at, else 0.', []),
    open: gauge('open_extractions', 'Runs under way; counted up to 10,000.', []),
    overdue: gauge('overdue_extractions', 'Open runs past their deadline; counted up to 10,000.', []),
    oldestOpen: gauge('oldest_open_extraction_age_seconds', 'Age of the oldest open run; 0 for none.', []),
    deadLetters: gauge('parked_dead_letters', 'Dead letters that are parked; counted up to 10,000.', []),
    reviews: gauge('review_queue_size', 'Open reviews; counted up to 10,000.', []),
    overdueReviews: gauge('overdue_reviews', 'Open reviews past their SLA; counted up to 10,000.', []),
    reviewAge: gauge('review_queue_age_seconds', 'Age of the oldest open review; 0 for none.', []),
    outbox: gauge('outbox_pending_deliveries', 'Webhook deliveries under way; counted up to 10,000.', []),
    outboxAge: gauge('outbox_age_seconds', 'Age of the oldest pending delivery; 0 for none.', []),
    repairsUsed: gauge('repair_budget_used', 'Repairs granted within the window of the budget.', ['spec']),
    repairsAllowed: gauge('repair_budget_allowed', 'Repairs the budget allows within its window.', ['spec']),
  };
}

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;
export type ApiMetrics = ReturnType<typeof createApiMetrics>;
