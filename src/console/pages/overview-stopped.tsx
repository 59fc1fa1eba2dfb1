import { reasonSays } from '../../domain/reason.js';
import { count, percent } from '../parts/format.js';
import { listOf } from './overview-list.js';
import type { OverviewShown } from './overview-shown.js';

const reasonsShown = 8;

export function Stopped({ shown }: { readonly shown: OverviewShown }) {
  const { report } = shown;
  const { reasons, unverified } = report.measures.tally;
  const rows = reasons.slice(0, reasonsShown);
  const rest = reasons.slice(reasonsShown).reduce((sum, { runs }) => sum + runs, 0);
  const most = Math.max(1, ...rows.map(({ runs }) => runs));
  return (
    <section aria-labelledby="h-stopped">
      <div class="title">
        <h2 id="h-stopped">Why {count(unverified)} stopped</h2>
        <span>reason, share of the {count(unverified)}</span>
      </div>
      {rows.length === 0 ? (
        <p class="second">Nothing stopped unverified.</p>
      ) : (
        <table>
          <tbody>
            {rows.map(({ reason, runs }) => (
              <tr>
                <th scope="row">
                  <a class="reason" href={listOf(shown, { reason })} title={reasonSays[reason]}>
                    {reason}
                  </a>
                </th>
                <td class="bars">
                  <svg viewBox="0 0 120 8" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={Math.max(1, (120 * runs) / most)} height="8" class="s-ink" />
                  </svg>
                </td>
                <td class="num">
                  <a class="figure" href={listOf(shown, { reason })}>
                    {count(runs)}
                  </a>
                </td>
                <td class="num second">{percent(runs / Math.max(1, unverified))}</td>
              </tr>
            ))}
            {rest === 0 ? null : (
              <tr class="off">
                <th scope="row">
                  <a href={listOf(shown, { outcome: 'unverified' })}>
                    {reasons.length - reasonsShown} other reasons
                  </a>
                </th>
                <td />
                <td class="num">{count(rest)}</td>
                <td class="num">{percent(rest / Math.max(1, unverified))}</td>
              </tr>
            )}
          </tbody>
        </table>
      )}
    </section>
  );
}
