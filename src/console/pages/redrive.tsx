import type { RedriveReport } from '../../domain/redrive.js';
import { Live } from '../parts/filters.js';
import { count } from '../parts/format.js';
import { Mark } from '../parts/marks.js';
import { mayAs, type Visitor } from '../visitor.js';

/** How one or several redrives fare. */
export function redrivePage({
  reports,
  links,
  visitor,
  now,
}: {
  readonly reports: readonly RedriveReport[];
  readonly links: readonly (string | null)[];
  readonly visitor: Visitor;
  readonly now: number;
}) {
  return (
    <>
      <div class="head">
        <div>
          <p class="crumbs">
            <a href="/console/dead-letters">Dead letters</a> / redrive
          </p>
          <h1>
            {reports.length === 1 ? (
              <>
                Redrive <bdi>{reports[0]?.id}</bdi>
              </>
            ) : (
              `${reports.length} redrives`
            )}
          </h1>
          <p>{reports.length === 1 ? 'It' : 'Each'} goes on by itself, whether or not anybody looks.</p>
        </div>
        <Live at={now} />
      </div>
      <div id="redrives" data-live>
        {reports.map((report, index) => (
          <Report
            report={report}
            link={links[index] ?? null}
            visitor={visitor}
            isAlone={reports.length === 1}
          />
        ))}
      </div>
    </>
  );
}

const stateWords: Readonly<Record<RedriveReport['state'], string>> = {
  running: 'under way',
  finished: 'finished',
  cancelled: 'stopped by request; what was under way went on',
  stopped: 'ended from outside; asking for it again goes on with it',
};

function Report({
  report,
  link,
  visitor,
  isAlone,
}: {
  readonly report: RedriveReport;
  readonly link: string | null;
  readonly visitor: Visitor;
  /** Then the head of the page names it. */
  readonly isAlone: boolean;
}) {
  const { id, state, parked, selected, recovered, returned, underWay } = report;
  const most = Math.max(1, parked, selected);
  const [won, lost, running] = [recovered, returned, underWay].map((part) => (100 * part) / most) as [
    number,
    number,
    number,
  ];
  const left = Math.max(0, parked - selected);
  return (
    <section aria-label={`Redrive ${id}`} {...(state === 'running' ? { 'data-poll': true } : {})}>
      <div class="title">
        <h2>{isAlone ? 'Letters run again' : <code>{id}</code>}</h2>
        <span>{stateWords[state]}</span>
      </div>
      <svg class="endstop tall" aria-hidden="true">
        <rect y="7" width="100%" height="2" class="s-line" />
        <rect y="2" width={`${won}%`} height="12" class="s-ok" />
        <rect x={`${won}%`} y="2" width={`${lost}%`} height="12" class="s-ink" />
        <rect x={`${won + lost}%`} y="2.5" width={`${running}%`} height="11" class="s-wait" />
        <rect x="100%" width="3" height="16" class="s-ink" transform="translate(-3 0)" />
      </svg>
      <p class="key">
        <Mark sign="verified">{count(recovered)} verified</Mark>
        <span>
          <svg viewBox="0 0 20 10" aria-hidden="true">
            <rect width="20" height="10" class="s-ink" />
          </svg>
          {count(returned)} exhausted again
        </span>
        <Mark sign="running">{count(underWay)} running</Mark>
        <span>
          {count(left)} of {count(parked)} to start
        </span>
      </p>
      <dl class="facts narrow">
        {Object.entries(report.returnedBy).map(([reason, times]) => (
          <>
            <dt>
              again <span class="reason">{reason}</span>
            </dt>
            <dd>
              <a
                class="figure"
                href={`/console/extractions?batch=${encodeURIComponent(`redrive/${id}`)}&reason=${reason}`}
              >
                {count(times ?? 0)}
              </a>
            </dd>
          </>
        ))}
        <dt>verified before</dt>
        <dd>{count(report.alreadyVerified)}</dd>
        <dt>another redrive was first</dt>
        <dd>{count(report.taken)}</dd>
        <dt>left parked: version not known to the worker</dt>
        <dd>{count(report.refused)}</dd>
      </dl>
      <div class="buttons">
        <a class="button" href={`/console/extractions?batch=${encodeURIComponent(`redrive/${id}`)}`}>
          Its runs
        </a>
        {link === null ? null : (
          <a class="button" href={link} target="_blank" rel="noopener noreferrer">
            Open in Temporal UI <span aria-hidden="true">↗</span>
          </a>
        )}
        {state === 'running' && mayAs(visitor, 'operate') ? (
          <form method="post" action={`/console/redrives/${id}/cancel`}>
            <button type="submit">Stop after running ones</button>
          </form>
        ) : null}
      </div>
    </section>
  );
}
