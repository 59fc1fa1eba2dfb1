import { describe, expect, it } from 'vitest';
import { plan } from '../../src/planner/plan.js';
import { planScenarios } from '../../src/planner/scenarios.js';
import { capChange } from '../../src/reports/cap-change.js';
import { measured } from '../../src/reports/measure.js';
import { Measuring, type Report } from '../../src/reports/report.js';
import { reportPage } from '../../src/reports/report-page.js';
import type { AuditsBySpec, AuditTally, DocumentRow } from '../../src/reports/rows.js';
import { simulationPage } from '../../src/reports/simulation-page.js';
import { scenarios } from '../../src/simulator/scenarios.js';
import { simulate } from '../../src/simulator/simulate.js';
import { hundred, timed, times } from './documents.js';

function reportOf(
  documents: readonly DocumentRow[],
  audits: AuditsBySpec = new Map(),
  filter: Report['filter'] = {},
): Report {
  const measures = measured(
    new Measuring({
      ...{ now: 3_600_000, audits, latencyLineMs: 300_000, lanesLineMs: 3_600_000 },
      budgetOf: () => ({ share: 0.4, floor: 10, windowMs: 300_000 }),
      rowRules: () => new Set(['sum']),
    }),
    documents,
  ).report();
  const reviewer = { reviewsPerHour: 25, from: 'assumed' as const, perHour: null, perReview: null };
  return { filter, at: 3_600_000, documents: documents.length, reviewer, measures };
}

/** Every element is closed in the order in which it was opened; nothing is drawn at no place. */
function expectWhole(html: string): void {
  const open: string[] = [];
  for (const [, close, name = '', self] of html.matchAll(/<(\/?)([a-z0-9]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (self === '/') continue;
    if (close === '/') expect(open.pop()).toBe(name);
    else open.push(name);
  }
  expect(open).toEqual([]);
  expect(html).not.toMatch(/NaN|Infinity|undefined|>null</);
}

describe('given a report', () => {
  it('when it is written as a page, then it is whole, and its drawings say their numbers in words', () => {
    const html = reportPage(reportOf(hundred), {
      slots: { first: 14, repair: 4 },
      plan: plan(planScenarios.claims),
    });
    expectWhole(html);
    expect(html).toContain('after attempt 2 90.0 %');
    expect(html).toContain('verified within 3 attempts');
    expect(html).toContain('3 runs are open and count as not verified.');
    expect(html).toContain('Nobody has checked verified records');
    expect(html).toContain('3 open, the oldest for 60.0 min');
    expect(html).toContain('repair, 4 slots');
    expect(html).toContain('% of first calls in 5 min; 10 are allowed whatever the line');
  });

  it('when records were audited, then its first sentence is net of what was wrong', () => {
    const first = { decided: 10, defects: 1 };
    const pageOf = (...tallies: AuditTally[]) =>
      reportPage(reportOf(hundred, new Map([['claim', tallies]])), { slots: null, plan: null });
    const html = pageOf(first, { decided: 5, defects: 1 }, { decided: 2, defects: 0 });
    expectWhole(html);
    // 80 less a tenth, 10 less a fifth, and 2.
    expect(html).toContain('Less what audits found wrong: 82.0 %');
    expect(pageOf(first)).toContain(
      'Not of every attempt that verified records, of each spec, were some checked',
    );
    expect(html).toContain('name a spec.');
  });

  it.each([
    ['nothing', []],
    ['one run without a reply', [timed(0, [], 'open')]],
    ['runs over weeks', times(40, (index) => timed(index * 86_400_000, [1_000], 'verified'))],
    ['a run that never ended unverified', [timed(0, [5], 'verified')]],
  ])('when there is %s, then the page is whole all the same', (_, documents) => {
    expectWhole(reportPage(reportOf(documents), { slots: null, plan: null }));
  });

  it('when a filter holds markup, then it is text', () => {
    const html = reportPage(reportOf(hundred, new Map(), { tenant: '<script>alert(1)</script>' }), {
      slots: null,
      plan: null,
    });
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;');
  });
});

describe('given a plan', () => {
  it('when the cap in force is not the recommended one, then the change leads there; else to one attempt fewer', () => {
    const made = plan(planScenarios.claims);
    expect(capChange(made, 5)).toMatchObject({ before: 5, after: 3 });
    expect(capChange(made, 1)).toMatchObject({ before: 1, after: 3 });
    expect(capChange(made, 3)).toMatchObject({ before: 3, after: 2 });
    // A cap above all that was measured is looked at as the highest that was.
    expect(capChange(made, 9)).toMatchObject({ before: 5, after: 3 });
    expect(capChange({ ...made, recommended: 1 }, 1)).toBeNull();
    const rows = capChange(made, 5)?.rows ?? [];
    expect(rows.find(({ name }) => name === 'exhausted a day')).toMatchObject({
      beforeText: '160',
      afterText: '248',
    });
    expect(rows.find(({ name }) => name === 'p99 of a document')).toMatchObject({
      beforeText: '24.5 s',
      afterText: '12.0 s',
    });
    expect(capChange(made, 2)?.rows.find(({ name }) => name === 'p99 of a document')).toMatchObject({
      before: null,
      beforeText: 'unknown',
    });
  });
});

describe('given a simulation', () => {
  const simulated = (name: keyof typeof scenarios, documents: number) => {
    const scenario = { ...scenarios[name], documents };
    return { scenario, simulation: simulate(scenario, 1) };
  };

  it('when two are compared, then the page shows before and after, and the four that never end', () => {
    const html = simulationPage(
      'week-one',
      simulated('week-one-capped', 2_000),
      simulated('week-one-uncapped', 2_000),
    );
    expectWhole(html);
    expect(html).toContain('From no cap to cap 3');
    expect(html).toMatch(/still open 4 to 0/);
  });

  it.each(['week-one-uncapped', 'outage', 'four-hung', 'batch-over-budget'] as const)(
    'when %s is drawn, then the page is whole',
    (name) => {
      expectWhole(simulationPage(name, simulated(name, 400), null));
    },
  );

  it('when hundreds are open, then all are counted', () => {
    const world = {
      ...scenarios['four-hung'],
      documents: 300,
      stopAt: 60_000,
      slots: { kind: 'pool' as const, pool: 1 },
    };
    const html = simulationPage('x', { scenario: world, simulation: simulate(world, 1) }, null);
    expect(html).toMatch(/\d{2,} open, the oldest/);
  });
});
