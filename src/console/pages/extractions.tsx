import type { ExtractionSummary } from '../../application/views/extraction-view.js';
import { type FailureClass, failureClasses } from '../../domain/failure-class.js';
import { type Reason, reasonSays, reasons } from '../../domain/reason.js';
import { type RouteName, routeNames } from '../../domain/route.js';
import type { Spec } from '../../spec/spec.js';
import { Choice, Live, Words } from '../parts/filters.js';
import { count, duration } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { routeWords, Standing } from '../parts/marks.js';
import { Pager } from '../parts/pager.js';
import { ShortId } from '../parts/short-id.js';
import { Time } from '../parts/time.js';
import { type Span, spanWords, withQuery } from '../query.js';

export const outcomeChoices = [
  ['verified', 'verified'],
  ['unverified', 'unverified'],
  ['running', 'running'],
] as const;

/** What the list is narrowed to, as its address says it. */
export interface ExtractionQuery {
  readonly outcome?: (typeof outcomeChoices)[number][0];
  readonly reason?: Reason;
  readonly route?: RouteName;
  readonly class?: FailureClass;
  /** So many ("2"), so many or more ("2+"), or from so many to so many ("1-3"). */
  readonly attempts?: string;
  readonly spec?: string;
  readonly prompt?: string;
  readonly tenant?: string;
  readonly tag?: string;
  /** What the document's name begins with. */
  readonly file?: string;
  readonly batch?: string;
  readonly time?: Span;
  /** Began at this instant or later, and before this one (ISO 8601): a stretch that a figure was counted over. */
  readonly from?: string;
  readonly before?: string;
}

const path = '/console/extractions';

export function extractionsPage({
  query,
  rows,
  nextCursor,
  isFirst,
  specs,
  reviewed,
  now,
  isOfOneTenant,
  engineUrlOf,
}: {
  readonly query: ExtractionQuery;
  readonly rows: readonly ExtractionSummary[];
  readonly nextCursor: string | null;
  readonly isFirst: boolean;
  readonly specs: readonly Spec[];
  /** What people made of runs since, by "key run". */
  readonly reviewed: ReadonlyMap<string, string>;
  readonly now: number;
  /** Then there is no tenant to choose. */
  readonly isOfOneTenant: boolean;
  /** Its run in the engine's own UI; null when no UI is known. */
  readonly engineUrlOf: (row: ExtractionSummary) => string | null;
}) {
  const words: Readonly<Record<string, string | undefined>> = { ...query };
  const isFiltered = Object.keys(query).length > 0;
  const hasEngineUrls = rows.some((row) => engineUrlOf(row) !== null);
  const unique = (values: readonly string[]) => [...new Set(values)].sort();
  return (
    <>
      <div class="head">
        <div>
          <h1>Extractions</h1>
          <p>
            One row for each run of a document under a spec, the newest first.
            {isFiltered ? (
              <>
                {' '}
                <a href={path}>Clear filters</a>
              </>
            ) : null}
          </p>
        </div>
        <Live at={now} />
      </div>
      <form class="filters" action={path} data-filters aria-label="Filters">
        <Choice name="outcome" label="Outcome" value={query.outcome} options={outcomeChoices} />
        <Choice name="reason" label="Reason" value={query.reason} options={reasons} />
        <Choice name="class" label="Class" value={query.class} options={failureClasses} />
        <Choice
          name="route"
          label="Landed"
          value={query.route}
          options={routeNames.map((route) => [route, routeWords[route].toLowerCase()] as const)}
          any="anywhere"
        />
        <Choice
          name="attempts"
          label="Attempts"
          value={query.attempts}
          options={attemptChoices(query.attempts)}
          any="any"
        />
        <Choice name="spec" label="Spec" value={query.spec} options={unique(specs.map(({ id }) => id))} />
        <Choice
          name="prompt"
          label="Prompt"
          value={query.prompt}
          options={unique([
            ...specs.map(({ prompt }) => prompt.version),
            ...(query.prompt === undefined ? [] : [query.prompt]),
          ])}
        />
        {isOfOneTenant ? null : <Words name="tenant" label="Tenant" value={query.tenant} />}
        <Words name="tag" label="Tag" value={query.tag} />
        <Words name="file" label="File" value={query.file} />
        {query.batch === undefined ? null : <Words name="batch" label="Batch" value={query.batch} />}
        <Started query={query} words={words} />
        <button type="submit" data-without-script>
          Filter
        </button>
      </form>
      <section id="rows" data-live>
        {rows.length === 0 ? (
          <p class="empty">
            {isFiltered ? (
              <>
                No extractions under these filters. <a href={path}>Clear filters.</a>
              </>
            ) : (
              <>
                Nothing was extracted yet. Hand in a document:{' '}
                <code>npx endstop extract FILE --spec claim</code>
              </>
            )}
          </p>
        ) : (
          <div class="scroll">
            <table class="rows folds">
              <Heads
                columns={[
                  'Outcome',
                  'ID',
                  'Document',
                  'Reason',
                  'Class',
                  'Spec, prompt',
                  'Tenant',
                  ['Attempts', 'num'],
                  ['Tokens', 'num'],
                  ['Took', 'num'],
                  ['Started', 'num'],
                  ...(hasEngineUrls ? [['Temporal', 'num'] as const] : []),
                ]}
              />
              <tbody>
                {rows.map((row) => (
                  <Row
                    row={row}
                    reviewed={reviewed.get(`${row.id} ${row.run}`) ?? null}
                    words={words}
                    engineUrl={engineUrlOf(row)}
                  />
                ))}
              </tbody>
            </table>
          </div>
        )}
        <Pager {...{ of: 'extractions', path, words, nextCursor, isFirst }} />
      </section>
    </>
  );
}

/** A choice of stretches up to now; or one between two instants, which figures lead to. */
function Started({
  query: { time, from, before },
  words,
}: {
  readonly query: ExtractionQuery;
  readonly words: Readonly<Record<string, string | undefined>>;
}) {
  if (from === undefined && before === undefined) {
    const options = Object.entries(spanWords);
    return <Choice name="time" label="Started" value={time} options={options} any="at any time" />;
  }
  return (
    <span class="chosen-span">
      Started{' '}
      <b>
        {from === undefined ? '' : <Time at={from} />}
        {before === undefined ? ' or later' : from === undefined ? 'before ' : ' to '}
        {before === undefined ? '' : <Time at={before} />}
      </b>{' '}
      <a href={withQuery(path, { ...words, from: undefined, before: undefined })}>at any time</a>
      {Object.entries({ from, before }).map(([name, instant]) =>
        instant === undefined ? null : <input type="hidden" name={name} value={instant} />,
      )}
    </span>
  );
}

/** Those that people ask for, and whatever the address asks for. */
function attemptChoices(asked: string | undefined): readonly (readonly [string, string])[] {
  const usual = ['1', '2', '3', '2+', '4+'];
  const all = asked === undefined || usual.includes(asked) ? usual : [...usual, asked];
  return all.map((choice) => [choice, choice.replace('+', ' or more').replace('-', ' to ')] as const);
}

function Row({
  row,
  reviewed,
  words,
  engineUrl,
}: {
  readonly row: ExtractionSummary;
  readonly reviewed: string | null;
  readonly engineUrl: string | null;
  readonly words: Readonly<Record<string, string | undefined>>;
}) {
  const { reason, failureClass, tags } = row;
  const narrowed = (more: Readonly<Record<string, string>>) => withQuery(path, { ...words, ...more });
  return (
    <tr>
      <td>
        <Standing run={{ ...row, reviewed }} />
      </td>
      <td>
        <a class="mono nowrap" href={`${path}/${row.id}${row.run > 1 ? `?run=${row.run}` : ''}`}>
          <ShortId id={row.id} />
        </a>
        {row.run > 1 ? <span class="grey small"> run {row.run}</span> : null}
      </td>
      <td class="full">
        {row.fileName === null ? <span class="grey">no name</span> : <bdi>{row.fileName}</bdi>}{' '}
        {tags.map((tag) => (
          <a class="tag" href={narrowed({ tag })}>
            <bdi>{tag}</bdi>
          </a>
        ))}
      </td>
      <td>
        {reason === null ? (
          <span class="grey gone">–</span>
        ) : (
          <a class="reason" href={narrowed({ reason })} title={reasonSays[reason]}>
            {reason}
          </a>
        )}
      </td>
      <td>
        {failureClass === null ? (
          <span class="grey gone">–</span>
        ) : (
          <a class="class" href={narrowed({ class: failureClass })}>
            {failureClass}
          </a>
        )}
      </td>
      <td class="nowrap">
        {row.spec} <span class="grey">{row.promptVersion}</span>
      </td>
      <td>
        <bdi>{row.tenant}</bdi>
      </td>
      <td class="num" data-label="attempts">
        {row.attempts}
      </td>
      <td class="num" data-label="tokens">
        {count(row.tokens)}
      </td>
      <td class="num" data-label="took">
        {duration(row.durationMs)}
      </td>
      <td class="num">
        <Time at={row.startedAt} />
      </td>
      {engineUrl === null ? null : (
        <td class="num">
          <a href={engineUrl} rel="noopener noreferrer" target="_blank" title="Open in Temporal UI">
            <span aria-hidden="true">↗</span>
            <span class="aloud">Open {row.id.slice(0, 8)} in Temporal UI</span>
          </a>
        </td>
      )}
    </tr>
  );
}
