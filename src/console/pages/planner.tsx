import type { CapPlan, LaneLoad } from '../../planner/cap-plan.js';
import type { Plan } from '../../planner/plan.js';
import { yieldFloor, yieldPlot } from '../../plots/yield-plot.js';
import { Bound } from '../parts/bound.js';
import { Choice } from '../parts/filters.js';
import { count, duration, percent } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { SignShape } from '../parts/marks.js';
import { Plot } from '../parts/plot.js';
import { hoursADay, type PlanAsked, type Slider, scenarioNames } from '../planner-form.js';

export function plannerPage(asked: PlanAsked, plan: Plan) {
  return (
    <>
      <div class="head">
        <div>
          <h1>Planner</h1>
          <p>
            What an attempt cap, slots and people come to together. Nothing here changes anything that runs.
          </p>
        </div>
      </div>
      <form action="/console/planner" id="plan-form" class="columns planner">
        <section aria-labelledby="h-numbers">
          <div class="title">
            <h2 id="h-numbers">Move the numbers</h2>
            <span>each scenario is a ready-made day</span>
          </div>
          <div class="filters">
            <Choice
              name="scenario"
              label="Scenario"
              value={asked.scenario}
              options={scenarioNames}
              any={null}
            />
          </div>
          <div class="sliders">
            {asked.sliders.map((slider) => (
              <SliderRow slider={slider} />
            ))}
          </div>
          <button type="submit" data-without-script>
            Draw
          </button>
        </section>
        <PlanFigures asked={asked} plan={plan} />
      </form>
    </>
  );
}

function SliderRow({ slider: { name, label, unit, least, most, step, value } }: { readonly slider: Slider }) {
  return (
    <label>
      <span>
        {label} <span class="grey small">{unit}</span>
      </span>
      <output>{value.toLocaleString('en-GB')}</output>
      <input type="range" name={name} min={least} max={most} step={step} value={String(value)} />
    </label>
  );
}

function PlanFigures({ asked, plan }: { readonly asked: PlanAsked; readonly plan: Plan }) {
  const { cap, input, reviewers } = asked;
  const chosen = plan.caps[cap - 1] ?? plan.caps[0];
  if (chosen === undefined) return null;
  const hours = reviewers * hoursADay;
  const marks = plan.caps.map(({ cap: attempt, point: { cumulative: share } }) => ({
    ...{ attempt, share, low: share, high: share, net: null },
  }));
  const lanes = [chosen.first, ...(chosen.repair === null ? [] : [chosen.repair])];
  const overdrawn = lanes.filter(({ given, load }) => given !== null && load >= given);
  return (
    <div id="plan" aria-live="polite">
      <section aria-labelledby="h-verdict">
        <div class="title">
          <h2 id="h-verdict">With a cap of {cap}</h2>
          <span>
            the plan itself would take {plan.recommended}
            {plan.decidedBy[0] === undefined ? '' : `: ${plan.decidedBy[0].says}`}
          </span>
        </div>
        <dl class="bounds four-up">
          <div>
            <dt>Verified</dt>
            <dd>
              <b class="t-ok">{percent(chosen.point.cumulative)}</b>
            </dd>
          </div>
          <div>
            <dt>Exhausted</dt>
            <dd>
              <b>{count(chosen.exhaustedPerDay)}</b> a day, {percent(chosen.exhaustedShare)}
            </dd>
          </div>
          <div>
            <dt>99 of 100 are done within</dt>
            <dd>
              <b>{chosen.p99Ms === null ? 'unknown' : duration(chosen.p99Ms)}</b>
            </dd>
          </div>
          <div>
            <dt>Tokens</dt>
            <dd>
              <b>{count(chosen.tokensPerDocument)}</b> a document
            </dd>
          </div>
        </dl>
      </section>
      <div class="columns two">
        <section aria-labelledby="h-yield">
          <div class="title">
            <h2 id="h-yield">Yield by attempt</h2>
            <span>% verified, all attempts so far; axis from {(yieldFloor(marks) * 100).toFixed(0)} %</span>
          </div>
          <Plot width={470} draw={(width) => yieldPlot({ marks, cap, width, height: 216 })} />
        </section>
        <section aria-labelledby="h-lanes">
          <div class="title">
            <h2 id="h-lanes">Slots and people</h2>
            <span>at the peak; on a day</span>
          </div>
          {lanes.map((lane) => (
            <LaneLine lane={lane} />
          ))}
          <div class="load">
            <span>Reviewers</span>
            <span class="num">
              <b>{chosen.reviewerHoursPerDay.toFixed(1)} h</b> of {count(hours)} h
            </span>
            <Bound
              used={chosen.reviewerHoursPerDay}
              most={hours}
              says={`${chosen.reviewerHoursPerDay.toFixed(1)} of ${hours} reviewer hours a day`}
            />
          </div>
          <div class="load">
            <span>Repairs against budget</span>
            <span class="num">
              <b>{percent(chosen.repairShare)}</b> of {percent(input.repairBudgetShare)}
            </span>
            <Bound
              used={chosen.repairShare}
              most={input.repairBudgetShare ?? 1}
              says={`${percent(chosen.repairShare)} of first calls repaired`}
            />
          </div>
          {[
            ...overdrawn.map(
              ({ lane, load, given }) =>
                `The ${lane} lane would be busy ${load.toFixed(2)} of ${given ?? 0} slots: waits grow as long as the peak lasts.`,
            ),
            ...(chosen.reviewerHoursPerDay > hours
              ? [
                  `The queue grows by ${(chosen.reviewerHoursPerDay - hours).toFixed(1)} hours of people a day.`,
                ]
              : []),
            ...(chosen.repairShare > (input.repairBudgetShare ?? 1)
              ? ['The repair budget would refuse repairs on ordinary days.']
              : []),
          ].map((warning) => (
            <p class="t-person">
              <SignShape sign="warning" /> {warning}
            </p>
          ))}
        </section>
      </div>
      <section aria-labelledby="h-caps">
        <div class="title">
          <h2 id="h-caps">Each cap</h2>
          <span>marked: the one that is looked at</span>
        </div>
        <div class="scroll">
          <CapTable caps={plan.caps} cap={cap} />
        </div>
        <p class="small second">
          c(n), of those left: the share that attempt n verifies of the documents that are still unverified
          when it is made. C(n), of all: the share of all documents that is verified by attempt n, so with a
          cap of n. Adds to p99: how much longer 99 of 100 documents take than with a cap of 1. Slots, one
          pool: where both lanes share them. Calls in a bad deploy: of a document, when every attempt fails
          and no budget stops repairs. {plan.legend.join(' ')}
        </p>
      </section>
    </div>
  );
}

function LaneLine({ lane: { lane, load, given, slots, p99WaitMs } }: { readonly lane: LaneLoad }) {
  const most = given ?? slots;
  return (
    <div class="load">
      <span>
        {lane === 'first' ? 'First lane' : 'Repair lane'}{' '}
        <span class="grey small">
          99 of 100 wait {p99WaitMs === null ? 'without end' : `at most ${duration(p99WaitMs)}`}
        </span>
      </span>
      <span class="num">
        <b>{load.toFixed(2)}</b> of {most}
      </span>
      <Bound used={load} most={most} says={`${load.toFixed(1)} of ${most} slots busy`} />
    </div>
  );
}

function CapTable({ caps, cap }: { readonly caps: readonly CapPlan[]; readonly cap: number }) {
  return (
    <table class="folds wraps">
      <Heads
        columns={[
          ['Cap', 'num'],
          ['of those left, c(n)', 'num'],
          ['of all, C(n)', 'num'],
          ['rescued per 1,000', 'num'],
          ['adds to p99', 'num'],
          ['exhausted a day', 'num'],
          ['reviewer hours', 'num'],
          ['slots, one pool', 'num'],
          ['calls in a bad deploy', 'num'],
        ]}
      />
      <tbody>
        {caps.map((row) => (
          <tr class={row.cap === cap ? 'chosen' : row.cap > cap ? 'off' : ''}>
            <th scope="row" class="num full" data-label="cap">
              {row.cap}
            </th>
            <td class="num" data-label="of those left">
              {percent(row.point.conditional)}
            </td>
            <td class="num" data-label="of all">
              <b>{percent(row.point.cumulative)}</b>
            </td>
            <td class="num" data-label="rescued per 1,000">
              {row.cap === 1 ? '–' : row.point.rescuedPerThousand.toFixed(0)}
            </td>
            <td class="num" data-label="adds to p99">
              {row.cap === 1 ? '–' : row.addedP99Ms === null ? 'unknown' : duration(row.addedP99Ms)}
            </td>
            <td class="num" data-label="exhausted a day">
              {count(row.exhaustedPerDay)}
            </td>
            <td class="num" data-label="reviewer hours">
              {row.reviewerHoursPerDay.toFixed(1)} h
            </td>
            <td class="num" data-label="slots, one pool">
              {row.pool.slots}
            </td>
            <td class="num" data-label="calls in a bad deploy">
              {row.worstCallsPerDocument.toFixed(1)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
