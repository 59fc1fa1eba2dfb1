import type { ReviewQueue } from '../../application/review-queue.js';
import type { ExtractionSummary } from '../../application/views/extraction-view.js';
import type { DeadLetterGroup } from '../../ports/dead-letter-store.js';
import { Live } from '../parts/filters.js';
import { count, duration, shortId } from '../parts/format.js';
import { PeopleFigures } from '../parts/people.js';

export interface OverviewShown {
  readonly queue: ReviewQueue;
  readonly groups: readonly DeadLetterGroup[];
  readonly open: readonly ExtractionSummary[];
  readonly now: number;
}

export function overviewPage({ queue, groups, open, now }: OverviewShown) {
  return (
    <div id="overview" data-live>
      <div class="head">
        <div>
          <h1>Overview</h1>
          <p>Calls, attempts and documents are counted apart.</p>
        </div>
        <Live at={now} />
      </div>
      <div class="columns three">
        <OpenRuns open={open} now={now} />
        <section aria-labelledby="h-people">
          <PeopleFigures queue={queue} />
        </section>
        <Parked groups={groups} />
      </div>
    </div>
  );
}

function OpenRuns({ open, now }: Pick<OverviewShown, 'open' | 'now'>) {
  return (
    <section aria-labelledby="h-open">
      <div class="title">
        <h2 id="h-open">Open runs</h2>
        <span>
          <a href="/console/extractions?outcome=running">all of them</a>
        </span>
      </div>
      {open.length === 0 ? (
        <p class="empty">Nothing runs at the moment.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Run</th>
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

function Parked({ groups }: Pick<OverviewShown, 'groups'>) {
  const byReason = new Map<string, number>();
  for (const group of groups) byReason.set(group.reason, (byReason.get(group.reason) ?? 0) + group.count);
  const rows = [...byReason].sort(([, one], [, other]) => other - one);
  const most = Math.max(1, ...rows.map(([, parked]) => parked));
  return (
    <section aria-labelledby="h-parked">
      <div class="title">
        <h2 id="h-parked">Parked as dead letters</h2>
        <span>
          <a href="/console/dead-letters">by reason, class and prompt</a>
        </span>
      </div>
      {rows.length === 0 ? (
        <p class="empty">No dead letters.</p>
      ) : (
        <table>
          <tbody>
            {rows.map(([reason, parked]) => (
              <tr>
                <th scope="row">
                  <a class="reason" href={`/console/extractions?reason=${reason}&route=dead_letter`}>
                    {reason}
                  </a>
                </th>
                <td class="bars">
                  <svg viewBox="0 0 120 8" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={Math.max(1, (120 * parked) / most)} height="8" class="s-ink" />
                  </svg>
                </td>
                <td class="num">{count(parked)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
