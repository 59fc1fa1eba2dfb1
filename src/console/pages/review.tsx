import { duration, money } from '../parts/format.js';
import { SignShape } from '../parts/marks.js';
import { Time } from '../parts/time.js';
import { type Desk, verbWords } from '../review-desk.js';
import { mayAs } from '../visitor.js';
import { FormPane } from './review-form-pane.js';
import { AttemptsTab, HistoryTab } from './review-past.js';
import { isScan, type ReviewShown, type Standing, standingOf } from './review-shown.js';
import { Why } from './review-why.js';

export function reviewPage(shown: ReviewShown) {
  const { desk } = shown;
  const { sheet, document } = desk;
  const standing = standingOf(shown);
  return (
    <main
      id="content"
      class="desk"
      data-review={sheet.id}
      data-version={sheet.version}
      data-standing={standing}
      data-state={sheet.state}
      data-holder={sheet.holder ?? ''}
      data-pulse
    >
      <Clocks shown={shown} standing={standing} />
      <Why desk={desk} />
      <div class="split">
        <section class="paper" aria-label="Document">
          <div class="tabs">
            <nav class="pages" id="page-list" aria-label="Pages of the document" />
            <span class="second small name">
              <bdi title={sheet.fileName ?? ''}>{sheet.fileName ?? 'no name'}</bdi>
              <span id="page-of" />
            </span>
            <span class="buttons small zoom" hidden id="zoom">
              <button type="button" class="link" data-zoom="-1" aria-label="Smaller">
                −
              </button>
              <span id="zoom-is">100 %</span>
              <button type="button" class="link" data-zoom="1" aria-label="Larger">
                +
              </button>
              <button type="button" class="link" data-zoom="0">
                Fit width
              </button>
            </span>
            <button type="button" class="link small" id="as-text" aria-pressed="false" hidden>
              Text
            </button>
            {isScan(desk) ? (
              <span class="legend small second">a scan: it holds no text to mark</span>
            ) : (
              <span class="legend small second" aria-hidden="true">
                <i class="hl" /> evidence <i class="hl this" /> this field <i class="hl two" /> two readings
              </span>
            )}
          </div>
          <div
            id="document"
            tabindex={0}
            data-kind={document.kind}
            data-pages={document.pages}
            data-src={`/console/reviews/${sheet.id}`}
          >
            <DocumentNote desk={desk} />
          </div>
        </section>
        <div class="side">
          <FormPane shown={shown} standing={standing} />
          <div id="past">
            <AttemptsTab desk={desk} />
            <HistoryTab desk={desk} />
          </div>
        </div>
      </div>
      <div id="signs" hidden>
        {(['holds', 'broken', 'warning', 'unread'] as const).map((sign) => (
          <span data-sign-of={sign}>
            <SignShape sign={sign} label={sign} />
          </span>
        ))}
      </div>
      <aside class="keys" id="keys" aria-label="Keys" data-standing={standing} />
    </main>
  );
}

function DocumentNote({ desk }: { readonly desk: Desk }) {
  const { document, sheet } = desk;
  if (document.kind === 'gone')
    return <p class="empty">The document was erased; only what became of it is left.</p>;
  if (document.kind === 'unreadable') {
    const fault = document.read?.kind === 'unreadable' ? document.read.fault : 'corrupt';
    return (
      <p class="empty">
        This document cannot be shown: it is <code>{fault}</code>.{' '}
        <a href={`/console/extractions/${sheet.extractionId}/document`}>Save it to look at it elsewhere.</a>
      </p>
    );
  }
  return (
    <noscript>
      <p class="empty">
        Drawing the document takes a script.{' '}
        <a href={`/console/extractions/${sheet.extractionId}/document`}>Save the document instead.</a>
      </p>
    </noscript>
  );
}

function Clocks({ shown, standing }: { readonly shown: ReviewShown; readonly standing: Standing }) {
  const { desk, visitor, now, done, isLate } = shown;
  const { sheet } = desk;
  const path = `/console/reviews/${sheet.id}`;
  return (
    <div class="clocks">
      <span>
        <a href="/console/reviews">Review</a>
      </span>
      {done === undefined ? null : (
        <span role="status" class="t-ok">
          Last one: {Object.hasOwn(verbWords, done) ? verbWords[done as keyof typeof verbWords] : 'decided'}
        </span>
      )}
      {isLate && (standing === 'held' || standing === 'settled') ? (
        <b role="status" class="t-person">
          Somebody was faster; nothing was changed.
        </b>
      ) : null}
      {sheet.amount === null ? null : <b>{money(sheet.amount)}</b>}
      <span class="second">
        {sheet.spec}, schema {desk.task.schemaVersion}, prompt {desk.task.promptVersion},{' '}
        <a class="mono" href={`/console/extractions/${sheet.extractionId}`}>
          {sheet.extractionId.slice(0, 8)}
        </a>
        , <bdi>{sheet.tenant}</bdi>
      </span>
      {sheet.dueAt === null || sheet.state !== 'open' ? null : (
        <span class={sheet.overdue ? 't-person' : 'second'}>
          {sheet.overdue ? <SignShape sign="warning" /> : null} {sheet.overdue ? 'overdue by' : 'due in'}{' '}
          {duration(Math.abs(Date.parse(sheet.dueAt) - now))}, <Time at={sheet.dueAt} />
        </span>
      )}
      <span class="lease" id="lease" data-expires={sheet.leaseExpiresAt ?? ''}>
        {standing === 'mine' ? (
          <>
            <svg class="endstop" viewBox="0 0 136 10" aria-hidden="true" id="lease-line">
              <rect x="0" y="4" width="131" height="2" class="s-line" />
              <rect x="0" y="3" width="0" height="4" class="s-accent" />
              <rect x="132" y="0" width="3" height="10" class="s-ink" />
            </svg>
            <span id="lease-until">
              Yours until{' '}
              <b>
                <Time at={sheet.leaseExpiresAt ?? now} form="clock" />
              </b>
              <span id="lease-left" />
            </span>
            <button type="button" class="link" id="extend" hidden>
              Extend
            </button>
            <form method="post" action={`${path}/release`} id="release">
              <button type="submit" class="link">
                Release
              </button>
            </form>
          </>
        ) : standing === 'free' ? (
          <form method="post" action={`${path}/claim`} class="buttons">
            <span>Nobody holds it.</span>
            <button type="submit" class="go" id="take">
              Take it <kbd data-key-of="take">T</kbd>
            </button>
          </form>
        ) : standing === 'held' ? (
          <HeldByOther shown={shown} path={path} />
        ) : standing === 'settled' ? (
          <span>
            {sheet.state === 'decided'
              ? `Decided: ${sheet.verdict === null ? '' : verbWords[sheet.verdict]}`
              : 'Withdrawn: the document was verified or erased'}
            {sheet.decidedAt === null ? null : (
              <>
                , <Time at={sheet.decidedAt} />
              </>
            )}
          </span>
        ) : (
          <span>
            You may look; deciding needs a key with the role "review" (yours has {visitor.roles.join(', ')}).
          </span>
        )}
        <span class="aloud" role="alert" id="lease-alert" />
      </span>
    </div>
  );
}

function HeldByOther({ shown, path }: { readonly shown: ReviewShown; readonly path: string }) {
  const { desk, visitor, now } = shown;
  return (
    <>
      <span class="t-person">
        <b>
          Held by <bdi>{desk.sheet.holder}</bdi>
        </b>{' '}
        until <Time at={desk.sheet.leaseExpiresAt ?? now} form="clock" />
      </span>
      {mayAs(visitor, 'operate') ? (
        <form method="post" action={`${path}/claim`} class="buttons">
          <label>
            <span class="aloud">Why you take it over</span>
            <input name="steal" required maxlength={1000} placeholder="Reason to take it over" />
          </label>
          <button type="submit">Take over</button>
        </form>
      ) : null}
    </>
  );
}
