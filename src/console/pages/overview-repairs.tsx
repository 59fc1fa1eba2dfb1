import type { RepairStanding } from '../../application/repairs.js';
import type { RepairBudget } from '../../domain/repair-budget.js';
import { budgetPlot } from '../../plots/budget-plot.js';
import { roundInstants } from '../../plots/clock-axis.js';
import { count, counted, duration, percent } from '../parts/format.js';
import { SignShape } from '../parts/marks.js';
import { Plot } from '../parts/plot.js';
import { Time } from '../parts/time.js';
import { clockOf } from './overview-clock.js';
import { explained, listOf } from './overview-list.js';
import type { OverviewShown } from './overview-shown.js';

/** What is repaired, against what the budget allows, and what comes of it. */
export function Repairs({ shown }: { readonly shown: OverviewShown }) {
  const { repairs, report, query } = shown;
  const { measures } = report;
  // The busiest spec: budgets belong to one each, and are never added up.
  const [busiest] = [...measures.repairs].sort((one, other) => other.primaries - one.primaries);
  const { recovered, failedFirst, recovery } = measures.cost;
  const [firsts = 0, repaired = 0] = measures.yield.map(({ reached }) => reached);
  const marks = (busiest?.windows ?? []).map(({ until, share }) => ({
    ...{ at: until, ...clockOf(until, query.time), share },
  }));
  const round = roundInstants(marks[0]?.at ?? 0, marks.at(-1)?.at ?? 0, 24);
  const ticks = round.length < 2 ? marks : round.map((at) => ({ at, ...clockOf(at, query.time) }));
  const budget = busiest?.budget?.share ?? null;
  const others = measures.repairs.length - 1;
  return (
    <section aria-labelledby="h-repairs">
      <div class="title">
        <h2 id="h-repairs">Repairs against budget</h2>
        <span>{busiest === undefined ? '' : `${busiest.specId}, % of first calls`}</span>
      </div>
      {busiest === undefined ? null : (
        <Plot width={450} draw={(width) => budgetPlot({ marks, ticks, budget, width, height: 190 })} />
      )}
      {busiest?.budget == null ? null : <Floor budget={busiest.budget} />}
      <dl class="facts">
        <dt>Repairs made{others > 0 ? ', all specs' : ''}</dt>
        <dd>
          <a class="figure" href={explained('repairs')}>
            <b>{counted(measures.cost.repairs, 'repair')}</b>
          </a>
          , in{' '}
          <a class="figure" href={listOf(shown, { attempts: '2+' })}>
            {counted(repaired, 'run')}
          </a>
          , {percent(firsts === 0 ? null : measures.cost.repairs / firsts)} of {count(firsts)} first attempts
        </dd>
        {busiest === undefined ? null : (
          <>
            <dt>Ended by the budget{others > 0 ? `, ${busiest.specId}` : ''}</dt>
            <dd>
              <a class="figure" href={listOf(shown, { spec: busiest.specId, reason: 'repair_budget' })}>
                {counted(busiest.refused, 'run')}
              </a>
            </dd>
          </>
        )}
        <dt>Recovered after a failed first attempt</dt>
        <dd>
          <a class="figure" href={listOf(shown, { outcome: 'verified', attempts: '2+' })}>
            <b>{count(recovered)}</b>
          </a>{' '}
          of {counted(failedFirst, 'run')}, {percent(recovery.share)}
        </dd>
        {repairs
          .filter(({ primaries, paused }) => primaries > 0 || paused !== null)
          .map((standing) => (
            <Standing standing={standing} />
          ))}
      </dl>
    </section>
  );
}

function Floor({ budget: { share, floor, windowMs } }: { readonly budget: RepairBudget }) {
  return (
    <p class="small second">
      In any {duration(windowMs)} the budget allows {percent(share)} of first calls, and never fewer than{' '}
      {counted(floor, 'repair')}: with little traffic the line may pass the bar.
    </p>
  );
}

/** One spec in the window that ends now. */
function Standing({
  standing: { spec, granted, allowed, windowMs, paused },
}: {
  readonly standing: RepairStanding;
}) {
  return (
    <>
      <dt>
        {spec}, last {duration(windowMs)}
      </dt>
      <dd class={paused === null ? '' : 't-person'}>
        {paused === null ? (
          <a class="figure" href={explained('window')}>
            {count(granted)} of {counted(allowed, 'repair')} allowed
          </a>
        ) : (
          <>
            <SignShape sign="warning" /> paused by <bdi>{paused.actor}</bdi> since{' '}
            <Time at={paused.since} form="clock" />
          </>
        )}
      </dd>
    </>
  );
}
