import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../../src/adapters/prometheus/metrics.js';

interface Described {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labelNames: readonly string[];
}

const metrics = createMetrics()
  .registry.getMetricsAsArray()
  .map((metric) => metric as unknown as Described);
const kindOf = (metric: Described) => metric.constructor.name.toLowerCase() as Described['type'];
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Names that a query may use: a histogram has no series of its own name. */
const series = new Map(
  metrics.flatMap((metric): [string, Described][] =>
    kindOf(metric) === 'histogram'
      ? ['_bucket', '_sum', '_count'].map((ending) => [`${metric.name}${ending}`, metric])
      : [[metric.name, metric]],
  ),
);

/** Metrics of a query with the labels that it asks about right behind them. */
function usesIn(query: string): { readonly name: string; readonly labels: readonly string[] }[] {
  return [...query.matchAll(/\b(endstop_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', selector = '']) => ({
    name,
    labels: [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  }));
}

function unknownIn(queries: readonly string[]): readonly string[] {
  return queries.flatMap(usesIn).flatMap(({ name, labels }) => {
    const metric = series.get(name);
    if (metric === undefined) return [name];
    const known = [...metric.labelNames, 'le'];
    return labels.filter((label) => !known.includes(label)).map((label) => `${name}{${label}}`);
  });
}

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
        `| \`${metric.name}\` | ${kindOf(metric)} | ${metric.labelNames.join(', ')} | ${metric.help} |`,
    );
    await expect(
      `${read('test/adapters/prometheus/metrics-head.md')}\n${['| name | type | labels | what |', '|---|---|---|---|', ...rows].join('\n')}\n`,
    ).toMatchFileSnapshot('../../../docs/metrics.md');
  });
});

describe('alert rules', () => {
  const { groups } = parse(read('ops/alerts.yml')) as { groups: { name: string; rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);

  it('ask about metrics and labels that there are', () => {
    expect(rules.length).toBeGreaterThan(10);
    expect(unknownIn(rules.map(({ expr }) => expr))).toEqual([]);
    expect(rules.filter(({ expr }) => usesIn(expr).length === 0)).toEqual([]);
  });

  it('each have a name of their own, a severity, and what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { labels, annotations } of rules) {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.summary.length).toBeGreaterThan(10);
      expect(annotations.description).toMatch(/\.$/);
    }
  });

  it('ask about reasons, lanes and words that can come', async () => {
    const { reasons } = await import('../../../src/domain/reason.js');
    const asked = rules.flatMap(({ expr }) => [...expr.matchAll(/reason="(\w+)"/g)].map(([, word]) => word));
    expect(asked.filter((word) => !(reasons as readonly string[]).includes(word ?? ''))).toEqual([]);
  });
});

describe('the dashboard', () => {
  interface Panel {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }
  const { panels } = JSON.parse(read('ops/grafana.json')) as { panels: Panel[] };

  it('asks about metrics and labels that there are', () => {
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(20);
    expect(unknownIn(queries)).toEqual([]);
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

describe('the check of names', () => {
  it('finds a metric and a label that there are not', () => {
    expect(
      unknownIn([
        'rate(endstop_extraction_total[5m])',
        'endstop_calls_total{tenant="a",lane="first"}',
        'endstop_call_duration_seconds',
      ]),
    ).toEqual(['endstop_extraction_total', 'endstop_calls_total{tenant}', 'endstop_call_duration_seconds']);
  });
});
