import type { ReviewQueue } from '../../application/review-queue.js';
import type { ListedReview, ReviewSummary } from '../../application/views/review-view.js';
import { type Reason, reasonSays, reasons } from '../../domain/reason.js';
import type { ReviewKind, ReviewState } from '../../ports/review-store.js';
import { Choice, Live } from '../parts/filters.js';
import { count, counted, duration, money } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { SignShape } from '../parts/marks.js';
import { Pager } from '../parts/pager.js';
import { PeopleFigures } from '../parts/people.js';
import { ShortId } from '../parts/short-id.js';
import { Time } from '../parts/time.js';
import { mayAs, type Visitor } from '../visitor.js';

/** What the queue is narrowed to, as its address says it. */
export interface QueueQuery {
  readonly spec?: string;
  readonly reason?: Reason;
  readonly kind?: ReviewKind;
  readonly lease?: 'free' | 'held';
  readonly due?: 'overdue';
  readonly state?: ReviewState;
  readonly tenant?: string;
}

export interface QueueShown {
  readonly query: QueueQuery;
  readonly queue: ReviewQueue;
  readonly rows: readonly ListedReview[];
  readonly nextCursor: string | null;
  readonly isFirst: boolean;
  readonly specs: readonly string[];
  readonly visitor: Visitor;
  readonly told: string | undefined;
  readonly now: number;
}

const path = '/console/reviews';

const told: Readonly<Record<string, string>> = {
  none: 'Nothing else of a spec that this server knows waits for a person.',
  'all-held': 'Everything else that waits is held by somebody.',
  released: 'You let it go; your draft is kept.',
};

export function queuePage(shown: QueueShown) {
  const { query, queue, now } = shown;
  const words: Readonly<Record<string, string | undefined>> = { ...query };
  const said = shown.told === undefined ? undefined : told[shown.told];
  return (
    <>
      <div class="head">
        <div>
          <h1>Review</h1>
          <p>
            The highest amount first, then the oldest. <b>{count(queue.open)}</b> wait,{' '}
            <b>{count(queue.free)}</b> of them free; about <b>{queue.backlogHours.toFixed(1)} h</b> of people
            at {queue.minutesEach.toFixed(1)} minutes each ({queue.minutesFrom}).
          </p>
        </div>
        <Live at={now} />
        <form method="post" action={`${path}/next`} class="buttons" id="take-next" data-live>
          <input type="hidden" name="spec" value={query.spec ?? ''} />
          <TakeFirst shown={shown} />
        </form>
      </div>
      {said === undefined ? null : (
        <p class="note" role="status">
          {said}
        </p>
      )}
      <form class="filters" action={path} data-filters aria-label="Filters">
        <Choice name="spec" label="Spec" value={query.spec} options={shown.specs} />
        <Choice name="reason" label="Reason" value={query.reason} options={reasons} />
        <Choice name="lease" label="Held" value={query.lease} options={['free', 'held']} any="either" />
        <Choice name="due" label="Due" value={query.due} options={['overdue']} any="any time" />
        <Choice
          name="kind"
          label="Asked"
          value={query.kind}
          options={[
            ['exhausted', 'because exhausted'],
            ['sample', 'as a sample'],
          ]}
          any="either way"
        />
        <Choice
          name="state"
          label="State"
          value={query.state ?? 'open'}
          options={['open', 'decided', 'withdrawn']}
          any={null}
        />
        <button type="submit" data-without-script>
          Filter
        </button>
      </form>
      <div class="columns halves">
        <section id="queue" data-live>
          <QueueTable shown={shown} />
          <Pager
            {...{ of: 'reviews', path, words, nextCursor: shown.nextCursor, isFirst: shown.isFirst }}
            first="To the first"
            next="More"
          />
        </section>
        <section id="queue-figures" data-live>
          <PeopleFigures queue={queue} />
        </section>
      </div>
    </>
  );
}

function TakeFirst({ shown: { queue, visitor } }: { readonly shown: QueueShown }) {
  const why = !mayAs(visitor, 'review')
    ? 'Taking one needs a key with the role "review".'
    : queue.free > 0
      ? null
      : queue.open === 0
        ? 'Nothing waits.'
        : 'None is free.';
  return why === null ? (
    <button type="submit" class="go" id="take-first">
      Take the first free one <kbd data-key-of="take">T</kbd>
    </button>
  ) : (
    <>
      <span class="second small" id="why-not-take">
        {why}
      </span>
      <button type="button" aria-disabled="true" aria-describedby="why-not-take">
        Take the first free one
      </button>
    </>
  );
}

function QueueTable({ shown }: { readonly shown: QueueShown }) {
  const { rows, queue, query, now } = shown;
  if (rows.length === 0) return <Empty queue={queue} query={query} />;
  return (
    <div class="scroll">
      <table class="rows folds">
        <Heads
          columns={[
            ['Amount', 'num'],
            'ID',
            'Document',
            'Why',
            'Spec',
            'Tenant',
            ['Waits', 'num'],
            ['Due', 'num'],
            'Held by',
          ]}
        />
        <tbody>
          {rows.map((row) => (
            <tr>
              <td class="num">
                <b>{row.amount === null ? '–' : money(row.amount)}</b>
              </td>
              <td>
                <a class="mono nowrap" href={`${path}/${row.id}`}>
                  <ShortId id={row.extractionId} />
                </a>
              </td>
              <td class="full">
                {row.fileName === null ? <span class="grey">no name</span> : <bdi>{row.fileName}</bdi>}
              </td>
              <td>
                {row.reason === null ? (
                  <span class="second">sample of what verified</span>
                ) : (
                  <span class="reason" title={reasonSays[row.reason]}>
                    {row.reason}
                  </span>
                )}
              </td>
              <td class="nowrap">{row.spec}</td>
              <td>
                <bdi>{row.tenant}</bdi>
              </td>
              <td class="num" data-label="waits">
                {duration(now - Date.parse(row.createdAt))}
              </td>
              <td class="num" data-label="due">
                <Due row={row} />
              </td>
              <td>
                {row.holder === null ? (
                  <span class="grey">{row.state === 'open' ? 'free' : (row.verdict ?? row.state)}</span>
                ) : (
                  <>
                    <bdi>{row.holder}</bdi>
                    {row.leaseExpiresAt === null ? null : (
                      <span class="grey">
                        {' '}
                        until <Time at={row.leaseExpiresAt} form="clock" />
                      </span>
                    )}
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Due({ row }: { readonly row: ReviewSummary }) {
  if (row.dueAt === null) return <span class="grey">–</span>;
  if (!row.overdue) return <Time at={row.dueAt} />;
  return (
    <span class="t-person">
      <SignShape sign="warning" label="overdue since" /> <Time at={row.dueAt} />
    </span>
  );
}

function Empty({ queue, query }: { readonly queue: ReviewQueue; readonly query: QueueQuery }) {
  if (query.lease === 'free' && queue.open > 0 && queue.nextFreeAt !== null) {
    return (
      <p class="empty">
        {counted(queue.held, 'task')}, all held; the next frees at <Time at={queue.nextFreeAt} form="clock" />
        . <a href={path}>Show them all.</a>
      </p>
    );
  }
  const isFiltered = Object.keys(query).length > 0;
  return (
    <p class="empty">
      {isFiltered ? (
        <>
          No reviews under these filters. <a href={path}>Clear filters.</a>
        </>
      ) : (
        <>
          Nothing waits for a person. <a href={`${path}?state=decided`}>See what was decided.</a>
        </>
      )}
    </p>
  );
}
