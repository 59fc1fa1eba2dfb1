import { Choice, Live } from '../parts/filters.js';
import { count } from '../parts/format.js';
import { PeopleFigures } from '../parts/people.js';
import { Time } from '../parts/time.js';
import { spanWords } from '../query.js';
import { Breakers } from './overview-breakers.js';
import { Calls } from './overview-calls.js';
import { Explained } from './overview-explained.js';
import { Latency } from './overview-latency.js';
import { explained, listOf } from './overview-list.js';
import { Outcomes } from './overview-outcomes.js';
import { Repairs } from './overview-repairs.js';
import type { OverviewShown } from './overview-shown.js';
import { Stopped } from './overview-stopped.js';
import { Yield } from './overview-yield.js';

export function overviewPage(shown: OverviewShown) {
  const { query, report, specs, now } = shown;
  const { tally } = report.measures;
  const unique = (values: readonly string[]) => [...new Set(values)].sort();
  return (
    <>
      <div class="head">
        <div id="overview-head" data-live>
          <h1>Overview</h1>
          <p>
            {spanWords[query.time]} to <Time at={report.at} />. Calls, attempts and documents are counted
            apart:{' '}
            <a class="figure" href={explained('calls')}>
              <b>{count(tally.calls)}</b> calls
            </a>
            ,{' '}
            <a class="figure" href={explained('attempts')}>
              <b>{count(tally.attempts)}</b> attempts
            </a>
            ,{' '}
            <a class="figure" href={listOf(shown, {})}>
              <b>{count(tally.runs)}</b> runs
            </a>{' '}
            of documents.
          </p>
        </div>
        <form class="filters" action="/console" data-filters aria-label="Filters">
          <Choice name="spec" label="Spec" value={query.spec} options={unique(specs.map(({ id }) => id))} />
          <Choice
            name="prompt"
            label="Prompt"
            value={query.prompt}
            options={unique(specs.map(({ prompt }) => prompt.version))}
          />
          <Choice
            name="time"
            label="Time"
            value={query.time}
            options={Object.entries(spanWords)}
            any={null}
          />
          <button type="submit" data-without-script>
            Show
          </button>
        </form>
        <Live at={now} />
      </div>
      <div id="overview" data-live>
        {tally.runs === 0 ? (
          <p class="empty">
            Nothing was extracted in this stretch of time. <a href="/console?time=30d">Look at 30 days</a>, or
            hand in a document: <code>npx endstop extract FILE --spec claim</code>
          </p>
        ) : (
          <>
            <Outcomes shown={shown} />
            <div class="columns three">
              <Yield shown={shown} />
              <Latency shown={shown} />
              <Repairs shown={shown} />
            </div>
          </>
        )}
        <div class="columns three">
          <div>
            <Calls shown={shown} />
            <Breakers breakers={shown.breakers} now={now} />
          </div>
          <section aria-labelledby="h-people">
            <PeopleFigures queue={shown.queue} />
          </section>
          <Stopped shown={shown} />
        </div>
        <Explained shown={shown} />
      </div>
    </>
  );
}
