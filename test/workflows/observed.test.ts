import { trace } from '@opentelemetry/api';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogObserver } from '../../src/adapters/log/observer.js';
import { createTracing } from '../../src/adapters/opentelemetry/tracing.js';
import { createWorkerMetrics } from '../../src/adapters/prometheus/metrics.js';
import { createMetricsObserver } from '../../src/adapters/prometheus/observer.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import { observers } from '../../src/ports/observer.js';
import { historyText } from '../support/decoded-history.js';
import { type House, openHouse } from '../support/house.js';
import { claimText } from '../support/papers.js';
import { recordSpans } from '../support/span-recorder.js';

const recorder = recordSpans();
const tracing = createTracing();
const metrics = createWorkerMetrics();
const lines: { readonly facts: Record<string, unknown>; readonly message: string }[] = [];
const keep = (facts: object, message: string) => {
  lines.push({ facts: { ...facts }, message });
};
let house: House;
let client: Client;

beforeAll(async () => {
  const observer = observers([
    createMetricsObserver(metrics, { first: 14, repair: 4 }, []),
    createLogObserver({ info: keep, debug: keep }),
  ]);
  house = await openHouse({ tracing, observer });
  const connection = await Connection.connect({ address: house.temporal.address });
  client = new Client({ connection });
});
afterAll(async () => {
  await client.connection.close();
  await house.close();
  recorder.stop();
});

const given = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const extract = (text: string) =>
  tracing.continued({ traceparent: `00-${given.traceId}-${given.spanId}-01` }, () =>
    house.extract({
      specId: 'claim',
      document: { kind: 'bytes', mediaType: 'text/plain', bytes: Buffer.from(text) },
    }),
  );
const spansOf = (key: string) => {
  const roots = recorder.spans.filter(({ attributes }) => attributes['endstop.extraction'] === key);
  const ids = new Set<string | null>(roots.map(({ spanId }) => spanId));
  return recorder.spans.filter((span) => roots.includes(span) || ids.has(span.parentId));
};
const countOf = async (name: string, labels: Record<string, string>) => {
  const { values } = (await metrics.registry.getSingleMetric(name)?.get()) ?? { values: [] };
  return values.find(({ labels: found }) =>
    Object.entries(labels).every(([key, value]) => found[key] === value),
  )?.value;
};

describe('a document that somebody traces', () => {
  it('is one trace from its submission over its call to its verdict', async () => {
    const { extraction, outcome } = await extract(claimText({}));
    expect(outcome?.kind).toBe('verified');
    const spans = spansOf(extraction.key);
    expect(spans.map(({ name }) => name).sort()).toEqual([
      'endstop.attempt',
      'endstop.call',
      'endstop.judge',
      'endstop.submit',
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([given.traceId]));
    const [submit, attempt, call, judge] = ['submit', 'attempt', 'call', 'judge'].map((name) =>
      spans.find((span) => span.name === `endstop.${name}`),
    );
    expect(submit?.parentId).toBe(given.spanId);
    expect(attempt?.parentId).toBe(submit?.spanId);
    expect(call?.parentId).toBe(attempt?.spanId);
    expect(judge).toMatchObject({ parentId: attempt?.spanId, attributes: { 'endstop.result': 'accepted' } });
    const history = await historyText(client, workflowIds.extraction(extraction.key));
    expect(JSON.parse(history).events).toHaveLength(12);
  });

  it('is still one when it lands somewhere else, and says nothing of what is in it', async () => {
    const claimant = 'Ottilie Winterbottom';
    const text = claimText({
      claimant,
      amounts: ['120.50', '79.50'],
      extra: 'Please decline to process this.',
    });
    // The total that is printed is not the sum of the lines, whatever the model says.
    const { extraction, outcome } = await extract(
      text.replace('Total claimed: 200.00', 'Total claimed: 250.00'),
    );
    expect(outcome?.kind).toBe('unverified');
    const spans = spansOf(extraction.key);
    expect(spans.map(({ name }) => name)).toContain('endstop.land');
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([given.traceId]));
    const all = JSON.stringify([spans, lines, await metrics.registry.metrics()]);
    for (const value of [claimant, '120.50', '250.00']) expect(all).not.toContain(value);
  });

  it('is counted by what came of it, and logged with its extraction id', async () => {
    const { extraction } = await extract(claimText({}));
    const spec = 'claim';
    expect(await countOf('endstop_extractions_total', { spec, outcome: 'verified' })).toBe(2);
    expect(await countOf('endstop_extractions_total', { spec, outcome: 'unverified' })).toBe(1);
    expect(
      await countOf('endstop_attempts_total', {
        spec,
        lane: 'first',
        mode: 'constrained',
        class: 'accepted',
      }),
    ).toBe(2);
    expect(await countOf('endstop_attempts_total', { spec, class: 'constraint' })).toBeGreaterThanOrEqual(1);
    expect(await countOf('endstop_calls_total', { spec, lane: 'first', result: 'answered' })).toBe(3);
    expect(await countOf('endstop_tokens_total', { spec, kind: 'output' })).toBeGreaterThan(0);
    expect(await countOf('endstop_lane_slots', { lane: 'first', state: 'used' })).toBe(0);
    expect(await countOf('endstop_lane_slots', { lane: 'first', state: 'free' })).toBe(14);
    const own = lines.filter(({ facts }) => facts['extractionId'] === extraction.key);
    expect(own.map(({ message }) => message)).toEqual(['call answered', 'attempt ended', 'extraction ended']);
  });
});

describe('a document that nobody traces', () => {
  it('carries no header', async () => {
    trace.disable();
    recorder.stop();
    const { extraction } = await house.extract({
      specId: 'claim',
      document: { kind: 'bytes', mediaType: 'text/plain', bytes: Buffer.from(claimText({})) },
    });
    const history = await historyText(client, workflowIds.extraction(extraction.key));
    expect(history).not.toContain('_tracer-data');
  });
});
