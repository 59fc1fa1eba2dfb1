import { readFileSync } from 'node:fs';
import type { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createApiMetrics, createWorkerMetrics } from '../../../src/adapters/prometheus/metrics.js';
import { createMetricsObserver } from '../../../src/adapters/prometheus/observer.js';
import { failureClasses } from '../../../src/domain/failure-class.js';
import { faults } from '../../../src/domain/fault.js';
import { reasons } from '../../../src/domain/reason.js';
import { requestModes } from '../../../src/domain/request-mode.js';
import { routeNames } from '../../../src/domain/route.js';
import { type Labels, readGrafanaQuery, readQuery } from '../../support/promql.js';

interface Described {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labelNames: readonly string[];
  readonly from: string;
}

const describedBy = (registry: Registry, from: string) =>
  registry.getMetricsAsArray().map((metric) => Object.assign(metric as unknown as Described, { from }));
const metrics = [
  ...describedBy(createWorkerMetrics().registry, 'worker'),
  ...describedBy(createApiMetrics().registry, 'API'),
];
const kindOf = (metric: Described) => metric.constructor.name.toLowerCase() as Described['type'];
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** The words of each label; of those that are not here, any may come. One that means several things has its metric before it. */
const words: Labels = {
  outcome: ['verified', 'unverified'],
  reason: [...reasons, 'none'],
  'endstop_extractions_total.route': [...routeNames, 'none'],
  lane: ['first', 'repair'],
  state: ['used', 'free'],
  mode: [...requestModes, 'default'],
  class: [...failureClasses, 'accepted'],
  granted: ['true', 'false'],
  'endstop_attempt_faults_total.fault': [...faults, 'call_failed', 'call_suspended'],
  'endstop_tokens_total.kind': ['input', 'output', 'cache_read'],
  'endstop_calls_total.result': [
    'answered',
    'rate_limited',
    'overloaded',
    'connection',
    'stalled',
    'rejected',
  ],
  'endstop_webhook_tries_total.result': ['delivered', 'rejected', 'redirect', 'gone'],
  method: ['GET', 'POST', 'PUT', 'DELETE'],
  status: ['200', '202', '400', '404', '409', '429', '500', '503'],
};

/** Names that a query may use: a histogram has no series of its own name. */
const series = new Map(
  metrics.flatMap((metric): [string, Labels][] => {
    const labels: Labels = Object.fromEntries(
      metric.labelNames.map((label) => [label, words[`${metric.name}.${label}`] ?? words[label] ?? null]),
    );
    if (kindOf(metric) !== 'histogram') return [[metric.name, labels]];
    const counts = ['_sum', '_count'].map((ending): [string, Labels] => [`${metric.name}${ending}`, labels]);
    return [[`${metric.name}_bucket`, { ...labels, le: null }], ...counts];
  }),
);

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

describe('metrics', () => {
  it('are named as Prometheus wants them named', () => {
    expect(metrics.length).toBeGreaterThan(20);
    for (const metric of metrics) {
      const { name, help } = metric;
      expect(name).toMatch(/^endstop_[a-z]+(_[a-z]+)*$/);
      expect(name.endsWith('_total')).toBe(kindOf(metric) === 'counter');
      if (kindOf(metric) === 'histogram') expect(name).toMatch(/_seconds$/);
      expect(help).toMatch(/^.{8,}\.$/);
    }
  });

  it('have labels of closed lists only', () => {
    const closed =
      'spec lane model mode class result fault kind currency granted state outcome reason route method status';
    const labels = new Set(metrics.flatMap(({ labelNames }) => labelNames));
    expect([...labels].filter((label) => !closed.split(' ').includes(label))).toEqual([]);
  });

  it('are all in docs/metrics.md (brought up to date by `vitest -u`)', async () => {
    const rows = metrics.map(
      (metric) =>
        `| \`${metric.name}\` | ${kindOf(metric)} | ${metric.labelNames.join(', ')} | ${metric.from} | ${metric.help} |`,
    );
    await expect(
      `${read('test/adapters/prometheus/metrics-head.md')}\n${['| name | type | labels | of | what |', '|---|---|---|---|---|', ...rows].join('\n')}\n`,
    ).toMatchFileSnapshot('../../../docs/metrics.md');
  });
});

describe('alert rules', () => {
  const { groups } = parse(read('ops/alerts.yml')) as { groups: { name: string; rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);

  it('ask about metrics, labels and words that there are', () => {
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.flatMap(({ expr }) => readQuery(expr, series).faults)).toEqual([]);
  });

  it('name in their sentences what their queries bring', () => {
    for (const { alert, expr, annotations } of rules) {
      const named = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
      expect(readQuery(expr, series).labels, alert).toEqual(expect.arrayContaining(named));
    }
  });

  it('each have a name of their own, a severity, and what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { labels, annotations } of rules) {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.summary.length).toBeGreaterThan(10);
      expect(annotations.description).toMatch(/\.$/);
    }
  });

  it('see the first event of its kind: what they wait to grow is there as 0 before', async () => {
    const { registry, ...worker } = createWorkerMetrics();
    createMetricsObserver({ registry, ...worker }, {}, ['claim']);
    const rare = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/increase\(endstop_extractions_total\{reason="(\w+)"\}/g)].map(
        ([, reason]) => reason,
      ),
    );
    expect(rare).toHaveLength(rules.filter(({ expr }) => expr.includes('increase(')).length);
    const shown = await registry.metrics();
    for (const reason of rare) {
      const labels = `spec="claim",outcome="unverified",reason="${reason}",route="dead_letter"`;
      expect(shown).toContain(`endstop_extractions_total{${labels}} 0\n`);
    }
  });
});

describe('the dashboard', () => {
  interface Panel {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }
  const { panels, templating } = JSON.parse(read('ops/grafana.json')) as {
    panels: Panel[];
    templating: { list: { query: string | { query: string } }[] };
  };

  it('asks about metrics, labels and words that there are, and names what its queries bring', () => {
    const targets = panels.flatMap((panel) => panel.targets ?? []);
    expect(targets.length).toBeGreaterThan(20);
    for (const { expr, legendFormat } of targets) {
      const { faults: found, labels } = readGrafanaQuery(expr, series);
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
      expect([...found, ...named.filter((label) => !labels.includes(label ?? ''))], expr).toEqual([]);
    }
    const choices = templating.list.flatMap(({ query }) => (typeof query === 'string' ? [] : [query.query]));
    expect(choices.flatMap((query) => readGrafanaQuery(query, series).faults)).toEqual([]);
    expect(choices).toHaveLength(1);
  });

  it('shows every metric, or an alert asks about it', () => {
    const text = `${read('ops/grafana.json')}\n${read('ops/alerts.yml')}`;
    const unseen = metrics.map(({ name }) => name).filter((name) => !text.includes(name));
    expect(unseen).toEqual([
      'endstop_attempt_duration_seconds',
      'endstop_normalisations_total',
      'endstop_webhook_try_duration_seconds',
    ]);
  });

  it('has no two panels of one id', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});

describe('the check of queries', () => {
  it.each([
    ['rate(endstop_extraction_total[5m])', 'there is no endstop_extraction_total'],
    ['endstop_call_duration_seconds', 'there is no endstop_call_duration_seconds'],
    ['endstop_calls_total{tenant="a"}', 'endstop_calls_total knows no tenant'],
    ['endstop_calls_total{result!="anserwed"}', 'endstop_calls_total{result} is never anserwed'],
    ['endstop_calls_total{lane=~"first|repare"}', 'endstop_calls_total{lane} is never repare'],
    ['endstop_lane_slots{lane="frist"}', 'endstop_lane_slots{lane} is never frist'],
    ['endstop_lane_slots{state="idle"}', 'endstop_lane_slots{state} is never idle'],
    ['max by (modle) (endstop_breaker_open)', 'max by (modle) (endstop_breaker_open) knows no modle'],
    ['sum without (x) (endstop_breaker_open)', 'sum without (x) (endstop_breaker_open) knows no x'],
    ['label_values(endstop_calls_total, spce)', 'sum by (spce) (endstop_calls_total) knows no spce'],
    [
      'histogram_quantile(0.5, rate(endstop_call_duration_seconds_sum[5m]))',
      'histogram_quantile(0.5, rate(endstop_call_duration_seconds_sum[5m])) knows no le',
    ],
    [
      'sum by (spec) (endstop_calls_total) / sum by (model) (endstop_calls_total)',
      'the sides never meet: sum by (spec) (endstop_calls_total) / sum by (model) (endstop_calls_total)',
    ],
    [
      'endstop_breaker_open * ignoring(modle) endstop_breaker_open',
      'endstop_breaker_open * ignoring(modle) endstop_breaker_open knows no modle',
    ],
    [
      'endstop_calls_total * on(model) group_left(stat) endstop_breaker_open',
      'endstop_calls_total * on(model) group_left(stat) endstop_breaker_open knows no stat',
    ],
    ['sum(endstop_breaker_open', 'does not parse: sum(endstop_breaker_open'],
  ])('%s: %s', (query, fault) => {
    expect(readGrafanaQuery(query, series).faults).toEqual([fault]);
  });
});
