import type { Spread } from '../planner/samples.js';
import { shortTime } from '../plots/words.js';
import type { Simulation } from '../simulator/simulate.js';
import type { Count, TimeLine } from '../simulator/tally.js';
import { duration } from './format.js';
import { type Column, facts, table } from './table.js';

/** Attempts that are listed one by one: an uncapped loop may make hundreds. */
const attemptsShown = 12;

/** A higher one is out of reach, and so none. */
const highestCap = 100;

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const shown = (ms: number | null) => duration(ms === null ? null : Math.round(ms));

/** What came of a simulation: documents, attempts and calls apart, and what is open beside what ended. */
export function simulationSheet(name: string, says: string, simulation: Simulation): string {
  const { documents, verified, unverified, open, latency, calls } = simulation;
  const summary = facts([
    ['documents', `${documents}: ${verified} verified, ${unverified} unverified, ${open} open`],
    ['not arrived', notArrived(simulation)],
    ['time of a document', spread(latency)],
    ['calls', `${calls.primaries} primary, ${calls.repairs} repairs, ${calls.failed} failed on the way`],
    ['repairs', `${percent(simulation.repairShare)} of primary calls, ${simulation.permitsDenied} refused`],
    ['tokens', String(simulation.tokens)],
    ['cap at the end', capText(simulation.cap)],
  ]);
  return [
    `${name}: ${says}. Seed ${simulation.seed}.\n`,
    summary,
    yieldTable(simulation),
    counts(simulation),
    slotTable(simulation),
    openTable(simulation),
    timelineTable(simulation),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Null: all did. */
function notArrived({ notArrived: missing, endedAt }: Simulation): string | null {
  return missing === 0
    ? null
    : `${missing} more, which this world does not wait for: it is looked at after ${shortTime(endedAt)} (stopAt)`;
}

function capText(cap: number): string {
  if (cap === 0) return 'the budget was gone';
  return cap > highestCap ? 'none' : String(cap);
}

function spread({ p50Ms, p95Ms, p99Ms, open }: Spread): string {
  const counted = open === 0 ? '' : `, ${open} open ones counted as longer than so far`;
  return `p50 ${shown(p50Ms)}, p95 ${shown(p95Ms)}, p99 ${shown(p99Ms)}${counted}`;
}

function yieldTable({ yield: curve, documents }: Simulation): string {
  let passed = 0;
  const rows = curve.slice(0, attemptsShown).map((row) => {
    passed += row.passed;
    return { ...row, cumulative: passed };
  });
  type Row = (typeof rows)[number];
  const right = (title: string, cell: (row: Row) => string): Column<Row> => ({ title, align: 'right', cell });
  const text = table<Row>(
    [
      right('ATTEMPT', ({ attempt }) => String(attempt)),
      right('MADE', ({ reached }) => String(reached)),
      right('PASSED', (row) => String(row.passed)),
      right('OF THOSE', (row) => percent(row.passed / row.reached)),
      right('OF ALL SO FAR', ({ cumulative }) => percent(cumulative / documents)),
    ],
    rows,
  );
  const more = curve.length - rows.length;
  return more > 0 ? `${text}... and up to ${curve.length} attempts\n` : text;
}

function counts({ reasons, routes, classes }: Simulation): string {
  const line = (entries: readonly Count[]) =>
    entries.length === 0 ? null : entries.map(({ name, documents }) => `${name} ${documents}`).join(', ');
  return facts([
    ['reasons', line(reasons)],
    ['routes', line(routes)],
    ['rejected attempts', line(classes.map(({ name, attempts }) => ({ name, documents: attempts })))],
  ]);
}

function slotTable({ slots }: Simulation): string {
  type Row = Simulation['slots'][number];
  const right = (title: string, cell: (row: Row) => string): Column<Row> => ({ title, align: 'right', cell });
  return table<Row>(
    [
      { title: 'SLOTS OF', cell: ({ name }) => name },
      right('THERE', (row) => String(row.slots)),
      right('BUSY', ({ utilisation }) => percent(utilisation)),
      right('MEAN WAIT', ({ meanWaitMs }) => shown(meanWaitMs)),
      right('P99 WAIT', ({ p99WaitMs }) => shown(p99WaitMs)),
      right('MOST WAITING', ({ mostQueued }) => String(mostQueued)),
    ],
    slots,
  );
}

function openTable({ openDocuments }: Simulation): string {
  type Row = Simulation['openDocuments'][number];
  return table<Row>(
    [
      { title: 'STILL OPEN', cell: ({ id }) => id },
      { title: 'KIND', cell: ({ kind }) => kind },
      { title: 'SINCE', align: 'right', cell: ({ sinceMs }) => shown(sinceMs) },
      { title: 'ATTEMPTS', align: 'right', cell: ({ attempts }) => String(attempts) },
      { title: 'TOKENS', align: 'right', cell: ({ tokens }) => String(tokens) },
    ],
    openDocuments,
  );
}

function timelineTable({ timeline }: Simulation): string {
  const right = (title: string, cell: (line: TimeLine) => string): Column<TimeLine> => ({
    title,
    align: 'right',
    cell,
  });
  return table<TimeLine>(
    [
      right('FROM', ({ from }) => `${Math.round(from / 60_000)} min`),
      right('ARRIVED', ({ arrived }) => String(arrived)),
      right('VERIFIED', ({ verified }) => String(verified)),
      right('OPEN', ({ latency }) => String(latency.open)),
      right('PRIMARIES', ({ primaries }) => String(primaries)),
      right('REPAIRS', ({ repairs }) => String(repairs)),
      right('REFUSED', ({ permitsDenied }) => String(permitsDenied)),
      right('FAILED CALLS', ({ failedCalls }) => String(failedCalls)),
      right('P50', ({ latency }) => shown(latency.p50Ms)),
      right('P99', ({ latency }) => shown(latency.p99Ms)),
      {
        title: 'BUSY WHEN IT BEGAN',
        cell: ({ busy }) =>
          Object.entries(busy)
            .map(([lane, count]) => `${lane} ${count}`)
            .join(', '),
      },
    ],
    // Nights and week-ends say nothing.
    timeline.filter(({ arrived, primaries, repairs }) => arrived + primaries + repairs > 0),
  );
}
