import { wilsonInterval } from '../domain/wilson-interval.js';
import { changePlot } from '../plots/change-plot.js';
import { countPlot } from '../plots/count-plot.js';
import { lanesPlot } from '../plots/lanes-plot.js';
import { latencyPlot } from '../plots/latency-plot.js';
import { element } from '../plots/markup.js';
import { count, percent, shortTime, time } from '../plots/words.js';
import { yieldPlot } from '../plots/yield-plot.js';
import type { Scenario } from '../simulator/scenario.js';
import type { Simulation } from '../simulator/simulate.js';
import { note, page, section, table } from './page-parts.js';

/** A simulated world and what came of it. */
export interface Simulated {
  readonly scenario: Scenario;
  readonly simulation: Simulation;
}

const [half, height] = [548, 260];
/** Attempts drawn one by one: an uncapped loop may make hundreds. */
const mostAttempts = 12;
const dayMs = 86_400_000;

/** A simulation as one HTML file; `before`: the same documents in the world it is compared with, or null. */
export function simulationPage(name: string, after: Simulated, before: Simulated | null): string {
  const { simulation, scenario } = after;
  return page(
    `Endstop simulation, ${name}`,
    element(
      'div',
      { class: 'head' },
      element('h1', {}, 'Simulation'),
      note(
        `${name}: ${scenario.says}. Seed ${simulation.seed}, ${count(simulation.documents)} documents${simulation.notArrived === 0 ? '' : `; ${count(simulation.notArrived)} more had not arrived when it was looked at`}.`,
      ),
      note(
        `${count(simulation.verified)} verified, ${count(simulation.unverified)} unverified, ${count(simulation.open)} open.`,
      ),
    ),
    element(
      'div',
      { class: 'grid' },
      ...(before === null ? [] : [changeSection(before, after)]),
      yieldSection(simulation, scenario.policy.attemptCap),
      latencySection(after),
      lanesSection(after),
      reasonsSection(simulation),
    ),
  );
}

function changeSection(before: Simulated, after: Simulated): string {
  const called = ({ scenario: { policy } }: Simulated) =>
    policy.attemptCap > 100 ? 'no cap' : `cap ${policy.attemptCap}`;
  const [one, other] = [before.simulation, after.simulation];
  const row = (
    name: string,
    value: (simulation: Simulation) => number | null,
    text: (value: number) => string,
  ) => {
    const [from, to] = [value(one), value(other)];
    const said = (each: number | null) => (each === null ? 'unknown' : text(each));
    return { name, before: from, after: to, beforeText: said(from), afterText: said(to) };
  };
  const rows = [
    row('verified', ({ verified, documents }) => verified / documents, percent),
    row('p50', ({ latency }) => latency.p50Ms, time),
    row('p95', ({ latency }) => latency.p95Ms, time),
    row('p99', ({ latency }) => latency.p99Ms, time),
    row('still open', ({ open }) => open, count),
    row('repairs, % of first calls', ({ repairShare }) => repairShare, percent),
    row('calls', ({ calls }) => calls.primaries + calls.repairs + calls.failed, count),
    row('tokens', ({ tokens }) => tokens, count),
  ];
  return section(
    'Before and after',
    'the same documents under both caps',
    changePlot({ before: called(before), after: called(after), rows, width: half }),
  );
}

function yieldSection({ yield: curve, documents }: Simulation, cap: number): string {
  let passed = 0;
  const rows = curve.slice(0, mostAttempts).map((each) => {
    passed += each.passed;
    return { ...each, within: passed };
  });
  const marks = rows.map(({ attempt, within }) => ({
    ...{ attempt, share: within / documents, ...wilsonInterval(within, documents), net: null },
  }));
  return section(
    'Yield by attempt',
    '% of all documents verified, 95 % intervals',
    yieldPlot({ marks, cap: Math.min(cap, Math.max(1, marks.length)), width: half, height }),
    table(
      ['Attempt', 'made', 'passed', 'of those c(n)', 'all C(n)'],
      rows.map(({ attempt, reached, passed, within }) => [
        String(attempt),
        count(reached),
        count(passed),
        percent(passed / reached),
        percent(within / documents),
      ]),
    ),
  );
}

function latencySection({ scenario, simulation }: Simulated): string {
  const marks = simulation.timeline
    .filter(({ arrived }) => arrived > 0)
    .map(({ from, arrived, latency: { p50Ms, p95Ms, p99Ms } }) => ({
      at: from,
      name: nameOf(from, simulation.endedAt),
      documents: arrived,
      p50Ms,
      p95Ms,
      p99Ms,
    }));
  const { latency } = simulation;
  // A deadline that nothing reaches is no bound.
  const deadlineMs = scenario.policy.deadlineMs >= 30 * dayMs ? null : scenario.policy.deadlineMs;
  return section(
    `Time to an outcome, by ${scenario.lineMs === 3_600_000 ? 'hour' : shortTime(scenario.lineMs)}`,
    'all documents, log scale; triangles: open runs at their present age',
    latencyPlot({
      marks,
      openMs: simulation.openDocuments.map(({ sinceMs }) => sinceMs),
      openRuns: simulation.open,
      deadlineMs,
      width: half,
      height: height + 20,
    }),
    note(
      `All: p50 ${time(latency.p50Ms)}, p95 ${time(latency.p95Ms)}, p99 ${time(latency.p99Ms)}; ${count(latency.open)} open ones counted as longer than so far.`,
    ),
  );
}

function lanesSection({ simulation }: Simulated): string {
  const lanes = simulation.slots.map(({ name, slots }) => ({
    ...{ name, slots, peak: null },
    marks: simulation.timeline.map(({ from, busy }) => ({
      at: from,
      name: nameOf(from, simulation.endedAt),
      busy: busy[name] ?? 0,
    })),
  }));
  return section(
    'Lanes over time',
    'slots busy when each stretch began',
    lanesPlot({ lanes, width: half, laneHeight: 96 }),
    table(
      ['Slots of', 'there', 'busy', 'mean wait', 'p99 wait', 'most waiting'],
      simulation.slots.map((lane) => [
        lane.name,
        count(lane.slots),
        percent(lane.utilisation),
        time(lane.meanWaitMs),
        time(lane.p99WaitMs),
        count(lane.mostQueued),
      ]),
    ),
  );
}

function reasonsSection({ reasons, classes, unverified }: Simulation): string {
  const rows = reasons.map(({ name, documents }) => ({ name, count: documents }));
  const rejected = classes.map(({ name, attempts }) => ({ name, count: attempts }));
  return section(
    `Why ${count(unverified)} stopped`,
    'documents by reason',
    ...(rows.length === 0
      ? [note('None ended unverified.')]
      : [countPlot({ unit: 'documents', rows, most: 9, width: half })]),
    ...(rejected.length === 0
      ? []
      : [
          note('Rejected attempts by class:'),
          countPlot({ unit: 'rejected attempts', rows: rejected, most: 8, width: half }),
        ]),
  );
}

/** Time since the simulation began: "2 d 15 h" where it lasts for days. */
function nameOf(at: number, end: number): string {
  if (end > 2 * dayMs) return `${Math.floor(at / dayMs)} d ${Math.floor((at % dayMs) / 3_600_000)} h`;
  return end > 3 * 3_600_000 ? `${(at / 3_600_000).toFixed(1)} h` : `${Math.round(at / 60_000)} min`;
}
