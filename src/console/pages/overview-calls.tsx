import { count, counted, percent } from '../parts/format.js';
import { explained, listOf } from './overview-list.js';
import type { OverviewShown } from './overview-shown.js';

/** How many calls at once, and what went wrong on their way. Calls are in no list of their own. */
export function Calls({ shown }: { readonly shown: OverviewShown }) {
  const { tally, peaks } = shown.report.measures;
  const givenUp = tally.reasons.find(({ reason }) => reason === 'provider_unavailable')?.runs ?? 0;
  return (
    <section aria-labelledby="h-calls">
      <div class="title">
        <h2 id="h-calls">Lanes and transport</h2>
        <span>calls on the wire</span>
      </div>
      <dl class="facts">
        {peaks.map(({ lane, peak }) => (
          <>
            <dt>{lane === 'first' ? 'First lane' : 'Repair lane'}, most calls at one instant</dt>
            <dd>
              <a class="figure" href={explained('lanes')}>
                <b>{counted(peak, 'call')}</b>
              </a>
            </dd>
          </>
        ))}
        <dt>Calls made</dt>
        <dd>
          <a class="figure" href={explained('calls')}>
            {count(tally.calls)}
          </a>{' '}
          in{' '}
          <a class="figure" href={listOf(shown, {})}>
            {counted(tally.runs, 'run')}
          </a>
        </dd>
        <dt>Failed on the wire, retried</dt>
        <dd>
          <a class="figure" href={explained('failed')}>
            <b>{count(tally.failedCalls)}</b>
          </a>{' '}
          of {counted(tally.calls, 'call')},{' '}
          {percent(tally.calls === 0 ? null : tally.failedCalls / tally.calls)}
        </dd>
        <dt>Attempts used up by these</dt>
        <dd>none: only a reply uses up an attempt</dd>
        <dt>Runs that the model never answered</dt>
        <dd>
          <a class="figure" href={listOf(shown, { reason: 'provider_unavailable' })}>
            {count(givenUp)}
          </a>{' '}
          of {count(tally.unverified)} exhausted
        </dd>
      </dl>
    </section>
  );
}
