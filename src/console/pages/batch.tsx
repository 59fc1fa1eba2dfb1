import type { BatchCourseView, BatchDocumentView, BatchView } from '../../application/views/batch-view.js';
import { BurnBar, DocumentBar } from '../parts/burn.js';
import { Confirm } from '../parts/confirm.js';
import { Live } from '../parts/filters.js';
import { count, counted, percent } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { Mark, SignShape } from '../parts/marks.js';
import { Pager } from '../parts/pager.js';
import { ShortId } from '../parts/short-id.js';
import { Time } from '../parts/time.js';
import { withQuery } from '../query.js';
import { mayAs, type Visitor } from '../visitor.js';
import { BatchCourse } from './batch-course.js';

export interface BatchShown {
  readonly batch: BatchView;
  /** Used so far by its own runs under way. */
  readonly tokensAtRisk: number;
  /** Null: it has not begun. */
  readonly course: BatchCourseView | null;
  readonly documents: readonly BatchDocumentView[];
  /** What people made of runs since, by "key run". */
  readonly reviewed: ReadonlyMap<string, string>;
  readonly nextCursor: string | null;
  readonly isFirst: boolean;
  readonly outcome: 'verified' | 'unverified' | undefined;
  readonly link: string | null;
  readonly visitor: Visitor;
  readonly now: number;
}

export function batchPage(shown: BatchShown) {
  const { batch, link, visitor, now } = shown;
  const isOver = batch.state === 'finished' || batch.state === 'cancelled';
  const path = `/console/batches/${encodeURIComponent(batch.id)}`;
  return (
    <div id="batch" data-live>
      <div class="head">
        <div>
          <p class="crumbs">
            <a href="/console/batches">Batches</a> /{' '}
            <code>
              <bdi>{batch.id}</bdi>
            </code>
          </p>
          <h1>
            <bdi>{batch.name ?? 'Batch'}</bdi>
          </h1>
          <p>
            {batch.state}; {batch.spec}, schema {batch.schemaVersion}, prompt {batch.promptVersion}, tenant{' '}
            <bdi>{batch.tenant}</bdi>, <Time at={batch.createdAt} />
            {batch.endedAt === null ? null : (
              <>
                {' '}
                to <Time at={batch.endedAt} />
              </>
            )}
          </p>
          {batch.state === 'stopped' ? (
            <p class="t-person">
              <SignShape sign="warning" /> Its workflow was ended from outside. The reconciler gives it
              another one within a minute, which goes on from its rows.
            </p>
          ) : null}
        </div>
        <Live at={now} />
        <div class="buttons">
          {link === null ? null : (
            <a class="button" href={link} target="_blank" rel="noopener noreferrer">
              Open in Temporal UI <span aria-hidden="true">↗</span>
            </a>
          )}
          {isOver || !mayAs(visitor, 'operate') ? null : (
            <form method="post" action={`${path}/cancel`} class="buttons">
              <Confirm
                id="let-finish"
                word="Stop after running ones"
                asks="Stop this batch after its runs under way?"
                go={{ word: 'Begin no further one', name: 'how', value: 'let_finish' }}
              >
                <p>
                  <b>{counted(batch.waiting, 'document')}</b> {batch.waiting === 1 ? 'is' : 'are'} never
                  begun, and it cannot go on later. The <b>{counted(batch.underWay, 'run')}</b> under way{' '}
                  {batch.underWay === 1 ? 'goes' : 'go'} on to {batch.underWay === 1 ? 'its' : 'their'} end.
                </p>
              </Confirm>
              <Confirm
                id="cancel-runs"
                word="Stop and cancel runs"
                asks="Stop this batch and cancel its runs?"
                go={{ word: `Cancel ${counted(batch.underWay, 'run')}`, name: 'how', value: 'cancel_runs' }}
              >
                <p>
                  No record comes of the <b>{counted(batch.underWay, 'run')}</b> under way: the{' '}
                  <b>{counted(shown.tokensAtRisk, 'token')}</b> that its own have used so far are lost, and so
                  are their calls in flight, which are paid for. <b>{counted(batch.waiting, 'document')}</b>{' '}
                  {batch.waiting === 1 ? 'is' : 'are'} never begun. What has ended stays as it ended.
                </p>
              </Confirm>
            </form>
          )}
        </div>
      </div>
      <div class="columns two" {...(isOver ? {} : { 'data-poll': true })}>
        <Documents batch={batch} />
        <Burn batch={batch} />
      </div>
      {shown.course === null ? null : <BatchCourse batch={batch} course={shown.course} />}
      <DocumentTable shown={shown} path={path} />
    </div>
  );
}

function Documents({ batch }: { readonly batch: BatchView }) {
  const { verified, unverified, refused, underWay, waiting, documents, runs } = batch;
  const list = `/console/extractions?batch=${encodeURIComponent(`batch/${batch.id}`)}`;
  return (
    <section aria-labelledby="h-documents">
      <div class="title">
        <h2 id="h-documents">Documents</h2>
        <span>{count(documents)} handed in</span>
      </div>
      <DocumentBar batch={batch} />
      <p class="key">
        <Mark sign="verified">
          <a class="figure" href={`${list}&outcome=verified`}>
            {count(verified)} verified
          </a>
        </Mark>
        <span>
          <svg viewBox="0 0 20 10" aria-hidden="true">
            <rect width="20" height="10" class="s-ink" />
          </svg>
          <a class="figure" href={`${list}&outcome=unverified`}>
            {count(unverified)} exhausted
          </a>
        </span>
        <Mark sign="running">
          <a class="figure" href={`${list}&outcome=running`}>
            {count(underWay)} running
          </a>
        </Mark>
        <span>{count(waiting)} waiting</span>
        {refused === 0 ? null : <span>{count(refused)} refused: no run could be started</span>}
      </p>
      <dl class="facts">
        {byCount(batch.unverifiedBy).map(([reason, times]) => (
          <>
            <dt>
              <span class="reason">{reason}</span>
            </dt>
            <dd>
              <a class="figure" href={`${list}&reason=${reason}`}>
                {count(times)}
              </a>
            </dd>
          </>
        ))}
        <dt>Runs it started</dt>
        <dd>
          <a class="figure" href={list}>
            {count(runs.own)}
          </a>
        </dd>
        <dt>Followed: under way already</dt>
        <dd>{count(runs.followed)}</dd>
        <dt>Known: had ended before</dt>
        <dd>{count(runs.known)}</dd>
        <dt>Repeated: same bytes in this batch</dt>
        <dd>{count(runs.repeated)}</dd>
      </dl>
    </section>
  );
}

function Burn({ batch }: { readonly batch: BatchView }) {
  const { tokens, budgetTokens, projectedTokens, attemptCap, verified, unverified, deadlineAt } = batch;
  const done = verified + unverified;
  const isOver = budgetTokens !== null && projectedTokens !== null && projectedTokens > budgetTokens;
  return (
    <section aria-labelledby="h-burn">
      <div class="title">
        <h2 id="h-burn">Burn against budget</h2>
        <span>tokens of its own runs</span>
      </div>
      <BurnBar batch={batch} />
      <dl class="facts">
        <dt>Burnt</dt>
        <dd>
          <b>{count(tokens)}</b> {budgetTokens === null ? 'tokens, no budget' : `of ${count(budgetTokens)}`}
          {budgetTokens === null ? '' : `, ${percent(tokens / Math.max(1, budgetTokens))}`}
        </dd>
        <dt>For each document that ended</dt>
        <dd>{done === 0 ? '–' : count(tokens / done)}</dd>
        <dt>Projected over the rest</dt>
        <dd class={isOver ? 't-person' : ''}>
          {projectedTokens === null ? '–' : count(projectedTokens)}
          {isOver ? ', above the budget: the cap comes down' : ''}
        </dd>
        <dt>Attempt cap in force</dt>
        <dd>{attemptCap === 0 ? 'none: the budget is gone' : attemptCap}</dd>
        <dt>Deadline</dt>
        <dd>{deadlineAt === null ? 'none' : <Time at={deadlineAt} />}</dd>
      </dl>
    </section>
  );
}

function DocumentTable({ shown, path }: { readonly shown: BatchShown; readonly path: string }) {
  const { documents, nextCursor, outcome } = shown;
  return (
    <section aria-labelledby="h-rows">
      <div class="title">
        <h2 id="h-rows">As they were handed in</h2>
        <p class="buttons">
          {(['verified', 'unverified'] as const).map((word) =>
            word === outcome ? <b>{word}</b> : <a href={withQuery(path, { outcome: word })}>{word}</a>,
          )}
          {outcome === undefined ? <b>all</b> : <a href={path}>all</a>}
        </p>
      </div>
      {documents.length === 0 ? (
        <p class="empty">None of these.</p>
      ) : (
        <div class="scroll">
          <table class="rows folds">
            <Heads columns={['ID', 'Document', 'State', 'Reason', ['Attempts', 'num'], ['Tokens', 'num']]} />
            <tbody>
              {documents.map((row) => (
                <tr>
                  <td>
                    {row.run === null ? (
                      <span class="mono grey">
                        <ShortId id={row.id} />
                      </span>
                    ) : (
                      <a class="mono nowrap" href={`/console/extractions/${row.id}?run=${row.run}`}>
                        <ShortId id={row.id} />
                      </a>
                    )}
                  </td>
                  <td class="full">
                    <bdi>{row.fileName ?? row.item}</bdi>
                  </td>
                  <td>
                    {row.outcomeKind === 'verified' ? (
                      <Mark sign="verified">Verified</Mark>
                    ) : row.state === 'running' ? (
                      <Mark sign="running">Running</Mark>
                    ) : (
                      <span class="second">
                        {row.outcomeKind === null
                          ? row.state
                          : ['exhausted', shown.reviewed.get(`${row.id} ${row.run}`) ?? []]
                              .flat()
                              .join(', then ')}
                      </span>
                    )}
                  </td>
                  <td>
                    {row.reason === null ? (
                      <span class="grey gone">–</span>
                    ) : (
                      <span class="reason">{row.reason}</span>
                    )}
                  </td>
                  <td class="num" data-label="attempts">
                    {row.attempts}
                  </td>
                  <td class="num" data-label="tokens">
                    {count(row.tokens)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager
        {...{ of: 'documents', path, words: { outcome }, nextCursor, isFirst: shown.isFirst }}
        first="To the first"
        next="More"
      />
    </section>
  );
}

/** The commonest first. */
function byCount(counts: BatchView['unverifiedBy']): readonly (readonly [reason: string, times: number])[] {
  return Object.entries(counts).sort(([, one], [, other]) => other - one);
}
