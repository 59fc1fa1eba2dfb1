import type { BreakerStandings } from '../../application/breakers.js';
import type { ReportedBreaker } from '../../ports/breaker-store.js';
import { counted, duration } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { SignShape } from '../parts/marks.js';
import { Time } from '../parts/time.js';

/** Whose calls are held back at the moment, why, and what that means. Asks for itself again while any are. */
export function Breakers({
  breakers: { open, closed, lost },
  now,
}: {
  readonly breakers: BreakerStandings;
  readonly now: number;
}) {
  const workers = new Set([...open, ...closed].map(({ worker }) => worker)).size;
  const isCalm = open.length + lost.length === 0;
  return (
    <section aria-labelledby="h-breakers" {...(isCalm ? {} : { 'data-poll': true })}>
      <div class="title">
        <h2 id="h-breakers">Breakers</h2>
        <span>one for each worker and model</span>
      </div>
      {open.length === 0 ? <Closed closed={closed} workers={workers} now={now} /> : null}
      {byModel(open).map((of) => (
        <Open open={of} workers={workers} />
      ))}
      {open.length === 0 ? null : (
        <p class="second small">
          Nobody pays for calls that would fail: documents wait within their deadlines, then stop as{' '}
          <a href="/console/extractions?reason=provider_unavailable">provider_unavailable</a> and are parked.
          A breaker closes by itself with the first call that gets through. Look at how the provider fares,
          and when it is back, <a href="/console/dead-letters">redrive what was parked</a>.
        </p>
      )}
      {lost.map((breaker) => (
        <p class="small second">
          <SignShape sign="unread" /> {breaker.worker} told of a breaker before {breaker.model} that was{' '}
          {stateWords[breaker.state]}, and was last heard from at <Time at={breaker.seenAt} />: it was killed,
          or cannot reach the database. How it stands is unknown.
        </p>
      ))}
    </section>
  );
}

const stateWords = { closed: 'closed', open: 'open', half_open: 'half-open' } as const;

function Closed({
  closed,
  workers,
  now,
}: {
  readonly closed: readonly ReportedBreaker[];
  readonly workers: number;
  readonly now: number;
}) {
  if (closed.length === 0) {
    return (
      <p class="second">No worker has told of a breaker: each does within half a minute of its first call.</p>
    );
  }
  const heardAt = Math.max(...closed.map(({ seenAt }) => seenAt));
  return (
    <p>
      <SignShape sign="holds" /> Closed: calls of {counted(workers, 'worker')} get through.{' '}
      <span class="second">
        Last heard from {duration(Math.round(Math.max(0, now - heardAt) / 1_000) * 1_000)} ago.
      </span>
    </p>
  );
}

function Open({ open, workers }: { readonly open: readonly ReportedBreaker[]; readonly workers: number }) {
  const [first] = open;
  if (first === undefined) return null;
  const since = Math.min(...open.map((breaker) => breaker.since));
  const causes = [...new Set(open.map(({ cause }) => cause).filter((cause) => cause !== null))];
  return (
    <>
      <p class="t-dead">
        <SignShape sign="warning" /> <b>Open:</b> calls to {first.model} ({first.provider}) are held back by{' '}
        {open.length} of {counted(workers, 'worker')} since <Time at={since} />
        {causes.length === 0 ? '' : `, after ${causes.join(', ')}`}.
      </p>
      <table>
        <Heads columns={['Worker', 'State', ['Since', 'num'], ['Next call', 'num']]} />
        <tbody>
          {open.map((breaker) => (
            <tr>
              <th scope="row" class="mono">
                {breaker.worker}
              </th>
              <td>{stateWords[breaker.state]}</td>
              <td class="num">
                <Time at={breaker.since} form="clock" />
              </td>
              <td class="num">
                {breaker.nextProbeAt === null ? 'on its way' : <Time at={breaker.nextProbeAt} form="clock" />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function byModel(open: readonly ReportedBreaker[]): readonly (readonly ReportedBreaker[])[] {
  const groups = new Map<string, ReportedBreaker[]>();
  for (const breaker of open) {
    const name = JSON.stringify([breaker.provider, breaker.model]);
    groups.set(name, [...(groups.get(name) ?? []), breaker]);
  }
  return [...groups.values()];
}
