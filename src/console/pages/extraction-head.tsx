import { reasonSays } from '../../domain/reason.js';
import { Bound } from '../parts/bound.js';
import { Confirm, RunCosts } from '../parts/confirm.js';
import { Live } from '../parts/filters.js';
import { cost, count, counted, duration } from '../parts/format.js';
import { Standing } from '../parts/marks.js';
import { Time } from '../parts/time.js';
import { mayAs } from '../visitor.js';
import type { ExtractionShown } from './extraction-shown.js';
import { headline } from './extraction-words.js';

/** How it ended, of what, and what can be done with it. */
export function Head({ shown }: { readonly shown: ExtractionShown }) {
  const { run, review, engineUrl, visitor, now } = shown;
  const { reason } = run;
  const mayRun = mayAs(visitor, 'operate');
  const fault = mayRun ? shown.redriveFault : 'Redriving and cancelling need a key with the role "operate".';
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
        {fault === null ? (
          <form method="post" action={`${path}/redrive`}>
            <Confirm id="again" word="Redrive" asks="Run it again?" go={{ word: 'Run it again' }}>
              <RunCosts policy={shown.newest.policy} />
              <p>
                This run took {counted(run.attempts, 'attempt')}, {counted(run.tokens, 'token')} and{' '}
                {cost(run.cost)}. Its page stays; a new run never makes a second record.
              </p>
            </Confirm>
          </form>
        ) : (
          <Refused word="Redrive" why="why" />
        )}
        {run.state !== 'running' ? null : mayRun ? (
          <form method="post" action={`${path}/cancel`}>
            <Confirm id="stop" word="Cancel" asks="Cancel this run?" go={{ word: 'Cancel the run' }}>
              <p>
                No record comes of the <b>{counted(run.attempts, 'attempt')}</b>, the{' '}
                <b>{counted(run.tokens, 'token')}</b> and the <b>{cost(run.cost)}</b> spent on it so far,
                unless the call in flight, which is paid for as well, still verifies. The document lands
                nowhere; it can be redriven.
              </p>
            </Confirm>
          </form>
        ) : (
          <Refused word="Cancel" why="why" />
        )}
        {fault === null ? null : (
          <p class="why" id="why">
            {fault}
          </p>
        )}
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

/** A button that cannot be pressed, described by the sentence that says why. */
function Refused({ word, why }: { readonly word: string; readonly why: string }) {
  return (
    <button type="button" aria-disabled="true" aria-describedby={why}>
      {word}
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
