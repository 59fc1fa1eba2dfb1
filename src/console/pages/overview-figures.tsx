import { raw } from 'hono/html';
import { budgetPlot } from '../../plots/budget-plot.js';
import { latencyPlot } from '../../plots/latency-plot.js';
import { yieldPlot } from '../../plots/yield-plot.js';
import { count, duration, percent, shortId } from '../parts/format.js';
import { SignShape } from '../parts/marks.js';
import { monthNames, Time } from '../parts/time.js';
import type { Span } from '../query.js';
import { listOf } from './overview-list.js';
import type { OverviewShown } from './overview-shown.js';

const [width, height] = [470, 216];

/** As drawings name it, for the script to write it in the reader's zone: an hour, or the date in what lasts for days. */
function clockOf(at: number, time: Span) {
  const instant = new Date(at).toISOString();
  if (time === '1h' || time === '24h') return { name: instant.slice(11, 16), instant };
  const name = `${Number(instant.slice(8, 10))} ${monthNames[Number(instant.slice(5, 7)) - 1] ?? ''}`;
  return { name, instant, form: 'date' as const };
}

/** Drawn by our own plots, which escape every text. */
function Plot({ svg }: { readonly svg: string }) {
  return <div class="plot-frame">{raw(svg)}</div>;
}

export function Yield({ shown }: { readonly shown: OverviewShown }) {
  const { measures } = shown.report;
  const curve = measures.yield;
  const marks = curve.map(({ attempt, cumulative, net }) => ({
    ...{
      attempt,
      share: cumulative.share ?? 0,
      low: cumulative.interval.low,
      high: cumulative.interval.high,
    },
    net: net.share,
  }));
  return (
    <section aria-labelledby="h-yield">
      <div class="title">
        <h2 id="h-yield">Yield by attempt</h2>
        <span>% verified, 95 % intervals</span>
      </div>
      <Plot
        svg={yieldPlot({ marks, cap: measures.attemptCap ?? Math.max(1, marks.length), width, height })}
      />
      <table>
        <thead>
          <tr>
            <th scope="col">Attempt</th>
            <th
              scope="col"
              class="num"
              title="c(n): of the documents that attempt n was made for, how many it verified"
            >
              of those left c(n)
            </th>
            <th scope="col" class="num" title="C(n): of all documents, how many had verified by attempt n">
              all C(n)
            </th>
            <th scope="col" class="num">
              per 1,000
            </th>
            <th scope="col" class="num">
              adds to p99
            </th>
          </tr>
        </thead>
        <tbody>
          {curve.map((row) => (
            <tr>
              <th scope="row">{row.attempt}</th>
              <td class="num">
                <a class="figure" href={listOf(shown, { outcome: 'verified', attempts: `${row.attempt}` })}>
                  {percent(row.conditional.share)}
                </a>
              </td>
              <td class="num">
                <a class="figure" href={listOf(shown, { outcome: 'verified', attempts: `1-${row.attempt}` })}>
                  <b>{percent(row.cumulative.share)}</b>
                </a>
              </td>
              <td class="num">{row.attempt === 1 ? '–' : row.rescuedPerThousand.toFixed(0)}</td>
              <td class="num">{row.attempt === 1 ? '–' : duration(row.addedP99Ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Latency({ shown }: { readonly shown: OverviewShown }) {
  const { report, open, now, query } = shown;
  const { lines, all, openMs } = report.measures.latency;
  const marks = lines.map(({ from, ended, open: still, ...quantiles }) => ({
    ...{ at: from, ...clockOf(from, query.time), documents: ended + still },
    ...quantiles,
  }));
  const { deadlineMs } = report.measures;
  return (
    <section aria-labelledby="h-latency">
      <div class="title">
        <h2 id="h-latency">Time to outcome, by hour</h2>
        <span>
          all documents, log scale; <span data-zone>UTC</span>
        </span>
      </div>
      <Plot
        svg={latencyPlot({
          marks,
          openMs,
          openRuns: all.open,
          deadlineMs,
          width: width + 20,
          height: height + 30,
        })}
      />
      <p class="small second">
        <a href={listOf(shown, {})}>All</a>: p50 {duration(all.p50Ms)}, p95 {duration(all.p95Ms)}, p99{' '}
        {duration(all.p99Ms)}; open ones count as longer than so far.
      </p>
      {open.length === 0 ? (
        <p class="second">Nothing runs at the moment.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">
                <a href={listOf(shown, { outcome: 'running', time: undefined })}>Oldest open runs</a>
              </th>
              <th scope="col" class="num">
                Attempts
              </th>
              <th scope="col" class="num">
                Age
              </th>
              <th scope="col" class="num">
                Left
              </th>
            </tr>
          </thead>
          <tbody>
            {open.map((run) => (
              <tr>
                <td>
                  <a class="mono" href={`/console/extractions/${run.id}`}>
                    {shortId(run.id)}
                  </a>
                </td>
                <td class="num">{run.attempts}</td>
                <td class="num">{duration(now - Date.parse(run.startedAt))}</td>
                <td class="num">{duration(Math.max(0, Date.parse(run.deadlineAt) - now))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

export function Repairs({ shown }: { readonly shown: OverviewShown }) {
  const { repairs, report, query } = shown;
  // The busiest spec: budgets belong to one each, and are never added up.
  const [busiest] = [...report.measures.repairs].sort((one, other) => other.primaries - one.primaries);
  const { recovered, failedFirst, recovery } = report.measures.cost;
  const marks = (busiest?.windows ?? []).map(({ until, share }) => ({
    ...{ at: until, ...clockOf(until, query.time), share },
  }));
  return (
    <section aria-labelledby="h-repairs">
      <div class="title">
        <h2 id="h-repairs">Repairs against budget</h2>
        <span>{busiest === undefined ? '' : `${busiest.specId}, % of first calls`}</span>
      </div>
      {busiest === undefined ? null : (
        <Plot
          svg={budgetPlot({ marks, budget: busiest.budget?.share ?? null, width: width - 20, height: 190 })}
        />
      )}
      <dl class="facts">
        {busiest === undefined ? null : (
          <>
            <dt>Repairs made</dt>
            <dd>
              <a class="figure" href={listOf(shown, { spec: busiest.specId, attempts: '2+' })}>
                <b>{count(busiest.repairs)}</b>
              </a>{' '}
              {percent(busiest.share)}
            </dd>
            <dt>Runs ended by the budget</dt>
            <dd>
              <a class="figure" href={listOf(shown, { spec: busiest.specId, reason: 'repair_budget' })}>
                {count(busiest.refused)}
              </a>
            </dd>
          </>
        )}
        <dt>Recovered after a failed first call</dt>
        <dd>
          <a class="figure" href={listOf(shown, { outcome: 'verified', attempts: '2+' })}>
            <b>{count(recovered)}</b>
          </a>{' '}
          of {count(failedFirst)}, {percent(recovery.share)}
        </dd>
        {repairs
          .filter(({ primaries, paused }) => primaries > 0 || paused !== null)
          .map(({ spec, granted, allowed, paused }) => (
            <>
              <dt>{spec}, this window</dt>
              <dd class={paused === null ? '' : 't-person'}>
                {paused === null ? (
                  `${count(granted)} of ${count(allowed)}`
                ) : (
                  <>
                    <SignShape sign="warning" /> paused by <bdi>{paused.actor}</bdi> since{' '}
                    <Time at={paused.since} form="clock" />
                  </>
                )}
              </dd>
            </>
          ))}
      </dl>
    </section>
  );
}

export function Calls({ shown }: { readonly shown: OverviewShown }) {
  const { tally, lanes } = shown.report.measures;
  return (
    <section aria-labelledby="h-calls">
      <div class="title">
        <h2 id="h-calls">Lanes and transport</h2>
        <span>calls on the wire</span>
      </div>
      <dl class="facts">
        {lanes.lanes.map(({ lane, peak }) => (
          <>
            <dt>{lane === 'first' ? 'First lane' : 'Repair lane'}, most calls at one instant</dt>
            <dd>
              <b>{count(peak)}</b>
            </dd>
          </>
        ))}
        <dt>Calls</dt>
        <dd>{count(tally.calls)}</dd>
        <dt>Failed on the wire, retried</dt>
        <dd>
          <b>{count(tally.failedCalls)}</b>{' '}
          {percent(tally.calls === 0 ? null : tally.failedCalls / tally.calls)}
        </dd>
        <dt>Attempts used up by these</dt>
        <dd>0</dd>
        <dt>Runs given up for the provider</dt>
        <dd>
          <a class="figure" href={listOf(shown, { reason: 'provider_unavailable' })}>
            {count(tally.reasons.find(({ reason }) => reason === 'provider_unavailable')?.runs ?? 0)}
          </a>
        </dd>
      </dl>
    </section>
  );
}
