import { dayMs, hourMs } from '../../application/reports.js';
import { latencyPlot } from '../../plots/latency-plot.js';
import type { LatencyLine } from '../../reports/latency-report.js';
import { counted, duration } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { Plot } from '../parts/plot.js';
import { ShortId } from '../parts/short-id.js';
import { Time } from '../parts/time.js';
import { clockOf } from './overview-clock.js';
import { explained, listOf } from './overview-list.js';
import type { OverviewShown } from './overview-shown.js';

/** How long documents take, open ones counted in, and who is longest at it. */
export function Latency({ shown }: { readonly shown: OverviewShown }) {
  const { report, query } = shown;
  const { lines, lineMs, all, openMs } = report.measures.latency;
  const isByDay = lineMs === dayMs;
  const marks = lines.map(({ from, ended, open: still, ...quantiles }) => {
    const clock = clockOf(from, query.time);
    // A day of UTC is none of another zone, so a reader elsewhere gets no date of theirs for it.
    return { at: from, ...(isByDay ? { name: clock.name } : clock), documents: ended + still, ...quantiles };
  });
  const { deadlineMs } = report.measures;
  const drawn = { marks, openMs, openRuns: all.open, deadlineMs, height: 246 };
  return (
    <section aria-labelledby="h-latency">
      <div class="title">
        <h2 id="h-latency">Time to outcome, by {stretchOf(lineMs)}</h2>
        <span>all documents, log scale; {isByDay ? 'days of UTC' : <span data-zone>UTC</span>}</span>
      </div>
      <Plot width={490} draw={(width) => latencyPlot({ ...drawn, width })} />
      <p class="small second">
        <a href={listOf(shown, {})}>All {counted(all.ended + all.open, 'run')}</a>:{' '}
        <a class="figure" href={explained('quantiles')}>
          p50 {duration(all.p50Ms)}, p95 {duration(all.p95Ms)}, p99 {duration(all.p99Ms)}
        </a>
        ; open ones count as longer than so far. <Slowest shown={shown} /> <Patience shown={shown} />
      </p>
      <Open shown={shown} />
    </section>
  );
}

const stretchOf = (lineMs: number) => (lineMs === dayMs ? 'day' : lineMs === hourMs ? 'hour' : '5 minutes');

/** The stretch with the longest tail, which leads to its runs: a quantile itself is nobody's. */
function Slowest({ shown }: { readonly shown: OverviewShown }) {
  const { latency } = shown.report.measures;
  const slowest = latency.lines.reduce<LatencyLine | null>(
    (most, line) => (line.p99Ms !== null && line.p99Ms > (most?.p99Ms ?? -1) ? line : most),
    null,
  );
  if (slowest === null) return null;
  // The first one may have begun before the stretch that is looked at.
  const from = new Date(Math.max(slowest.from, shown.report.since)).toISOString();
  const before = new Date(slowest.from + latency.lineMs).toISOString();
  return (
    <>
      The slowest {stretchOf(latency.lineMs)} began <Time at={from} />: p99 {duration(slowest.p99Ms)} of{' '}
      <a class="figure" href={listOf(shown, { time: undefined, from, before })}>
        {counted(slowest.ended + slowest.open, 'run')}
      </a>
      .
    </>
  );
}

/** Why the endstop stands beyond every spec's own deadline. */
function Patience({ shown: { report, query, specs } }: { readonly shown: OverviewShown }) {
  const longest = report.measures.deadlineMs ?? 0;
  const own = specs.filter(({ id }) => query.spec === undefined || id === query.spec);
  const most = Math.max(0, ...own.map(({ policy }) => policy.deadlineMs));
  if (most === 0 || longest <= most) return null;
  return (
    <>
      The longest deadline is {duration(longest)}: a run of a batch may sit out an outage of the provider on
      top of its spec’s {duration(most)}.
    </>
  );
}

function Open({ shown }: { readonly shown: OverviewShown }) {
  const { open, now } = shown;
  if (open.length === 0) return <p class="second">Nothing runs at the moment.</p>;
  return (
    <>
      <p class="small">
        <a href={listOf(shown, { outcome: 'running', time: undefined })}>All that run now</a>, the oldest of
        them here:
      </p>
      <table>
        <Heads columns={['Run', ['Attempts', 'num'], ['Age', 'num'], ['Left', 'num']]} />
        <tbody>
          {open.map((run) => (
            <tr>
              <th scope="row">
                <a class="mono" href={`/console/extractions/${run.id}`}>
                  <ShortId id={run.id} />
                </a>
              </th>
              <td class="num">{run.attempts}</td>
              <td class="num">{duration(now - Date.parse(run.startedAt))}</td>
              <td class="num">{duration(Math.max(0, Date.parse(run.deadlineAt) - now))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
