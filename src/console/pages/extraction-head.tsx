import { reasonSays } from '../../domain/reason.js';
import { Bound } from '../parts/bound.js';
import { Live } from '../parts/filters.js';
import { cost, count, duration } from '../parts/format.js';
import { Standing } from '../parts/marks.js';
import { Time } from '../parts/time.js';
import { mayAs } from '../visitor.js';
import type { ExtractionShown } from './extraction-shown.js';
import { headline } from './extraction-words.js';

/** How it ended, of what, and what can be done with it. */
export function Head({ shown }: { readonly shown: ExtractionShown }) {
  const { run, review, engineUrl, visitor, now } = shown;
  const { reason } = run;
  const canRun = mayAs(visitor, 'operate');
  const path = `/console/extractions/${run.id}`;
  return (
    <div class="head">
      <div>
        <p class="crumbs">
          <a href="/console/extractions">Extractions</a> / <code>{run.id.slice(0, 12)}</code>
        </p>
        <h1>{headline(run)}</h1>
        <p>
          <Standing run={{ ...run, reviewed: shown.reviewed }} />{' '}
          {reason === null ? null : (
            <a class="reason" href={`/console/extractions?reason=${reason}`} title={reasonSays[reason]}>
              {reason}
            </a>
          )}{' '}
          {run.spec}, schema {run.schemaVersion}, prompt{' '}
          <a
            href={`/console/extractions?spec=${encodeURIComponent(run.spec)}&prompt=${encodeURIComponent(run.promptVersion)}`}
          >
            {run.promptVersion}
          </a>
          , tenant <bdi>{run.tenant}</bdi>, <Runs run={run.run} runs={shown.newest.run} path={path} />,{' '}
          <Time at={run.startedAt} />
          {run.state === 'running' ? (
            <>
              {' '}
              <Live at={now} />
            </>
          ) : null}
        </p>
      </div>
      <div class="buttons">
        {engineUrl === null ? null : (
          <a class="button" href={engineUrl} rel="noopener noreferrer" target="_blank">
            Open in Temporal UI <span aria-hidden="true">↗</span>
          </a>
        )}
        {review === null ? null : (
          <a class="button" href={`/console/reviews/${review.id}`}>
            {review.state === 'open' ? 'Open review' : 'See review'}
          </a>
        )}
        <form method="post" action={`${path}/redrive`}>
          <Act word="Redrive" why={canRun ? shown.redriveFault : 'needs a key with the role "operate"'} />
        </form>
        <form method="post" action={`${path}/cancel`}>
          <Act
            word="Cancel"
            why={
              !canRun
                ? 'needs a key with the role "operate"'
                : run.state === 'running'
                  ? null
                  : 'it has ended'
            }
          />
        </form>
      </div>
    </div>
  );
}

/** Which of its runs this is, and the way to the others. */
function Runs({ run, runs, path }: { readonly run: number; readonly runs: number; readonly path: string }) {
  return (
    <>
      run {run}
      {runs === 1 ? null : (
        <>
          {' '}
          of {runs} ({run === 1 ? null : <a href={`${path}?run=${run - 1}`}>the one before</a>}
          {run > 1 && run < runs ? ', ' : ''}
          {run < runs ? <a href={`${path}?run=${run + 1}`}>the one after</a> : null})
        </>
      )}
    </>
  );
}

/** A button that says why it cannot be pressed. */
function Act({ word, why }: { readonly word: string; readonly why: string | null }) {
  return why === null ? (
    <button type="submit">{word}</button>
  ) : (
    <button type="button" aria-disabled="true" title={why}>
      {word}
      <span class="aloud">, not possible: {why}</span>
    </button>
  );
}

/** What was used of each bound, running towards its end. */
export function Bounds({ shown }: { readonly shown: ExtractionShown }) {
  const { run, extraction, now } = shown;
  const { policy } = extraction;
  const took = run.durationMs ?? now - extraction.startedAt;
  const failed = shown.attempts.reduce(
    (sum, { calls }) => sum + calls.filter(({ state }) => state === 'failed').length,
    0,
  );
  return (
    <dl class="bounds">
      <div>
        <dt>Attempts</dt>
        <dd>
          <b>{run.attempts}</b> of {policy.attemptCap}
          <Bound
            used={run.attempts}
            most={policy.attemptCap}
            says={`${run.attempts} of ${policy.attemptCap} attempts used`}
          />
        </dd>
      </div>
      <div>
        <dt>Time</dt>
        <dd>
          <b>{duration(took)}</b> of {duration(policy.deadlineMs)}
          <Bound used={took} most={policy.deadlineMs} says={`${duration(took)} of the deadline used`} />
        </dd>
      </div>
      <div>
        <dt>Tokens</dt>
        <dd>
          <b>{count(run.tokens)}</b> of {count(policy.tokenCap)}
          <Bound
            used={run.tokens}
            most={policy.tokenCap}
            says={`${count(run.tokens)} of ${count(policy.tokenCap)} tokens used`}
          />
        </dd>
      </div>
      <div>
        <dt>Calls</dt>
        <dd>
          <b>{run.calls}</b>{' '}
          {failed === 0 ? 'none failed on the wire' : `${failed} failed on the wire, costs no attempt`}
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>
          <b>{cost(run.cost)}</b> {run.provider}
        </dd>
      </div>
    </dl>
  );
}
