import type { Child } from 'hono/jsx';
import { explained, type inNoList, listOf } from './overview-list.js';
import type { OverviewShown } from './overview-shown.js';

type Name = (typeof inNoList)[number];

/** What figures count that are in no list; each of them leads here. */
export function Explained({ shown }: { readonly shown: OverviewShown }) {
  const repaired = listOf(shown, { attempts: '2+' });
  const words: Readonly<Record<Name, readonly [title: string, says: Child]>> = {
    calls: [
      'Calls',
      <>
        Requests on the wire to the model. An attempt makes one, and another whenever one fails on its way.
        They are in no list: <a href={listOf(shown, {})}>each run’s page</a> shows its own.
      </>,
    ],
    attempts: [
      'Attempts',
      <>
        Rounds of propose and verify. The first is the primary call, those after it are repairs, as many as
        the cap allows. <a href={listOf(shown, {})}>Each run’s page</a> shows them one by one.
      </>,
    ],
    failed: [
      'Failed on the wire',
      'Calls that brought no reply: refused for load, broken off, timed out. They are made again within the same attempt, so they use up none.',
    ],
    yield: [
      'c(n) and C(n)',
      'c(n), of those left: the share that attempt n verified of the runs it was made for. C(n), of all: the share of all runs, open ones included, that was verified by attempt n. Per 1,000: runs of a thousand that this attempt rescued.',
    ],
    tail: ['Adds to p99', 'How much longer 99 of 100 runs take with a cap of n than with a single attempt.'],
    quantiles: [
      'p50, p95, p99',
      'Half, 95 and 99 of 100 runs took no longer from submission to outcome. A run that is still open counts as longer than it has taken so far, so bad hours do not look good.',
    ],
    repairs: [
      'Repairs',
      <>
        Attempts after the first. A run may have several, so there are fewer <a href={repaired}>runs</a> than
        repairs.
      </>,
    ],
    window: [
      'The last minutes',
      <>
        Permits for repairs granted in the window that ends now, of those that its first calls allow or the
        floor, whichever is more. A run that gets none ends as{' '}
        <a href={listOf(shown, { reason: 'repair_budget' })}>repair_budget</a>.
      </>,
    ],
    lanes: [
      'Most calls at one instant',
      <>
        The most that were on the wire together, however short: as many slots as were ever in use. The{' '}
        <a href="/console/planner">planner</a> says how many a lane needs.{' '}
        <a href={listOf(shown, { outcome: 'running', time: undefined })}>What runs now</a> is a list.
      </>,
    ],
    intervals: [
      'Intervals',
      <>
        95 % intervals are Wilson’s: as certain as so many runs can make it. What an audit found is in the
        report: <code>npx endstop report</code>
      </>,
    ],
  };
  return (
    <section aria-labelledby="h-explained" class="explained">
      <div class="title">
        <h2 id="h-explained">What these figures count</h2>
        <span>shares stand beside their counts</span>
      </div>
      <dl>
        {(Object.entries(words) as [Name, readonly [string, Child]][]).map(([name, [title, says]]) => (
          <div id={explained(name).slice(1)} tabindex={-1}>
            <dt>{title}</dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
