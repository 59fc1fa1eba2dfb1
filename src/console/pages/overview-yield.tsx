import { yieldFloor, yieldPlot } from '../../plots/yield-plot.js';
import type { MeasuredYield } from '../../reports/yield-report.js';
import { count, duration, percent } from '../parts/format.js';
import { Plot } from '../parts/plot.js';
import { explained, listOf } from './overview-list.js';
import type { OverviewShown } from './overview-shown.js';

/** How many documents each attempt verifies. */
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
  const cap = measures.attemptCap ?? Math.max(1, marks.length);
  return (
    <section aria-labelledby="h-yield">
      <div class="title">
        <h2 id="h-yield">Yield by attempt</h2>
        <span>% verified, axis from {(yieldFloor(marks) * 100).toFixed(0)} %, 95 % intervals</span>
      </div>
      <Plot width={470} draw={(width) => yieldPlot({ marks, cap, width, height: 216 })} />
      <table class="of-two">
        <thead>
          <tr>
            <th scope="col">Attempt</th>
            <th scope="col" class="num">
              of those left <a href={explained('yield')}>c(n)</a>
            </th>
            <th scope="col" class="num">
              of all <a href={explained('yield')}>C(n)</a>
            </th>
            <th scope="col" class="num">
              per 1,000
            </th>
            <th scope="col" class="num">
              adds to <a href={explained('tail')}>p99</a>
            </th>
          </tr>
        </thead>
        <tbody>
          {curve.map((row, index) => (
            <Row
              row={row}
              within={curve.slice(0, index + 1).reduce((sum, { passed }) => sum + passed, 0)}
              shown={shown}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({
  row: { attempt, reached, passed, conditional, cumulative, rescuedPerThousand, addedP99Ms },
  within,
  shown,
}: {
  readonly row: MeasuredYield;
  /** Verified by this attempt or an earlier one. */
  readonly within: number;
  readonly shown: OverviewShown;
}) {
  const own = listOf(shown, { outcome: 'verified', attempts: `${attempt}` });
  return (
    <tr>
      <th scope="row">{attempt}</th>
      <td class="num">
        {percent(conditional.share)}
        <div class="small second">
          <a class="figure" href={own}>
            {count(passed)}
          </a>{' '}
          of {count(reached)}
        </div>
      </td>
      <td class="num">
        <b>{percent(cumulative.share)}</b>
        <div class="small second">
          <a class="figure" href={listOf(shown, { outcome: 'verified', attempts: `1-${attempt}` })}>
            {count(within)}
          </a>{' '}
          of {count(shown.report.measures.tally.runs)}
        </div>
      </td>
      <td class="num">
        {attempt === 1 ? (
          '–'
        ) : (
          <a class="figure" href={own}>
            {rescuedPerThousand.toFixed(0)}
          </a>
        )}
      </td>
      <td class="num">{attempt === 1 ? '–' : duration(addedP99Ms)}</td>
    </tr>
  );
}
