import type { ExplainedCase } from '../../application/explain-route.js';
import type { ExtractionReading } from '../../application/read-outcome.js';
import { diffCandidates } from '../../application/review-fields.js';
import type { AttemptView } from '../../application/views/attempt-view.js';
import type { ExtractionSummary } from '../../application/views/extraction-view.js';
import { reasonSays } from '../../domain/reason.js';
import type { Attempt } from '../../ports/attempt-store.js';
import type { DeadLetter } from '../../ports/dead-letter-store.js';
import type { Extraction } from '../../ports/extraction-store.js';
import type { ReviewTask } from '../../ports/review-store.js';
import type { StoredDocument } from '../../ports/store.js';
import type { Spec } from '../../spec/spec.js';
import type { DocumentText } from '../../verification/document-text.js';
import { Bound } from '../parts/bound.js';
import { ContradictionTable } from '../parts/contradiction.js';
import { Live } from '../parts/filters.js';
import { cost, count, counted, duration } from '../parts/format.js';
import { Mark, Standing } from '../parts/marks.js';
import { RuleMatrix } from '../parts/rules.js';
import { Time } from '../parts/time.js';
import { Timeline } from '../parts/timeline.js';
import { mayAs, type Visitor } from '../visitor.js';
import { CandidateDiff, Evidences, Feedback, Kept, RouteTaken } from './extraction-parts.js';
import { headline } from './extraction-words.js';

export interface ExtractionShown {
  readonly run: ExtractionSummary;
  readonly extraction: Extraction;
  /** Null: what it said was erased. */
  readonly reading: ExtractionReading | null;
  readonly attempts: readonly AttemptView[];
  readonly stored: readonly Attempt[];
  readonly explained: ExplainedCase | null;
  readonly review: ReviewTask | null;
  readonly letter: DeadLetter | null;
  readonly document: StoredDocument | null;
  readonly text: DocumentText | null;
  readonly spec: Spec | null;
  readonly engineUrl: string | null;
  readonly visitor: Visitor;
  readonly now: number;
  readonly told: string | undefined;
}

const told: Readonly<Record<string, string>> = {
  cancelling: 'It was asked to stop; it does when the call in flight has ended.',
  'had-ended': 'It had ended before, and stays as it ended.',
  redriven: 'A new run of it is under way, or was already.',
};

export function extractionPage(shown: ExtractionShown) {
  const { run, attempts, spec, now } = shown;
  const said = shown.told === undefined ? undefined : told[shown.told];
  const changes = diffCandidates(
    spec?.fields ?? {},
    shown.stored
      .filter(({ candidate }) => candidate !== null)
      .map(({ report, candidate }) => ({ attempt: report.attempt, candidate })),
  );
  const feedback = attempts.filter((attempt) => attempt.feedback !== null);
  return (
    <div id="run" data-live>
      <Head shown={shown} />
      {said === undefined ? null : (
        <p class="note" role="status">
          {said}
        </p>
      )}
      <Bounds shown={shown} />
      <div class="columns wide-narrow">
        <div>
          <section aria-labelledby="h-attempts">
            <div class="title">
              <h2 id="h-attempts">Attempts and calls</h2>
              <span>seconds from start</span>
            </div>
            {attempts.length === 0 ? (
              <p class="empty">No call was made{run.state === 'running' ? ' yet' : ''}.</p>
            ) : (
              <Timeline run={run} attempts={attempts} now={now} />
            )}
          </section>
          {attempts.some(({ result }) => result !== 'unanswered') ? (
            <section aria-labelledby="h-rules">
              <div class="title">
                <h2 id="h-rules">Problems by rule</h2>
                <span>attempts {attempts.map(({ attempt }) => attempt).join(', ')}</span>
              </div>
              <RuleMatrix attempts={attempts} ruleCount={spec?.constraints.length ?? null} />
            </section>
          ) : null}
          {changes.length === 0 ? null : <CandidateDiff changes={changes} stored={shown.stored} />}
          {feedback.map((attempt) => (
            <Feedback attempt={attempt} />
          ))}
        </div>
        <div>
          <Diagnosis shown={shown} />
          <RouteTaken shown={shown} />
          <Evidences shown={shown} />
          <Kept shown={shown} />
        </div>
      </div>
    </div>
  );
}

function Head({ shown }: { readonly shown: ExtractionShown }) {
  const { run, extraction, review, engineUrl, visitor, now } = shown;
  const { reason } = run;
  const canRun = mayAs(visitor, 'operator');
  const isRedrivable =
    run.state === 'ended' && run.outcomeKind !== 'verified' && extraction.erasedAt === null;
  const path = `/console/extractions/${run.id}`;
  return (
    <div class="head">
      <div>
        <p class="crumbs">
          <a href="/console/extractions">Extractions</a> / <code>{run.id.slice(0, 12)}</code>
        </p>
        <h1>{headline(run)}</h1>
        <p>
          <Standing run={run} />{' '}
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
          , tenant {run.tenant}, run {run.run}, <Time at={run.startedAt} />
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
          <Act
            word="Redrive"
            why={
              !canRun
                ? 'needs a key of the role operator'
                : isRedrivable
                  ? null
                  : run.state === 'running'
                    ? 'it is running'
                    : run.outcomeKind === 'verified'
                      ? 'it is verified'
                      : 'its document was erased'
            }
          />
        </form>
        <form method="post" action={`${path}/cancel`}>
          <Act
            word="Cancel"
            why={
              !canRun ? 'needs a key of the role operator' : run.state === 'running' ? null : 'it has ended'
            }
          />
        </form>
      </div>
    </div>
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

function Bounds({ shown }: { readonly shown: ExtractionShown }) {
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
          <b>{duration(took)}</b> of {duration(policy.deadlineMs).replace('.0 s', ' s')}
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

function Diagnosis({ shown }: { readonly shown: ExtractionShown }) {
  const { reading, extraction } = shown;
  if (extraction.erasedAt !== null) {
    return (
      <section class="band plain">
        <h2>What it said was erased</h2>
        <p>
          On <Time at={extraction.erasedAt} form="day" />. What became of it stays in the counts.
        </p>
      </section>
    );
  }
  const outcome = reading?.outcome ?? null;
  if (outcome === null) return null;
  if (outcome.kind === 'verified') {
    return (
      <section class="band plain">
        <h2>Verified</h2>
        <p>
          Every rule of {outcome.verifierVersion} holds
          {outcome.normalisations.length === 0
            ? '; the reply was read as it came.'
            : `; reading it took ${counted(outcome.normalisations.length, 'harmless normalisation')}.`}
        </p>
      </section>
    );
  }
  const { diagnosis, reason } = outcome;
  if (diagnosis?.kind === 'contradiction') {
    return (
      <section class="band">
        <h2>No value of {diagnosis.pointer.split('/').at(-1)?.replaceAll('_', ' ')} satisfies both rules.</h2>
        <p>{diagnosis.explanation ?? 'Each rule can be met alone, so every attempt looks one edit away.'}</p>
        <ContradictionTable rules={diagnosis.rules} values={diagnosis.values} />
      </section>
    );
  }
  return (
    <section class="band plain">
      <h2>{capital(reasonSays[reason])}</h2>
      {diagnosis?.kind === 'oscillation' ? (
        <p>
          It alternated between <code>{diagnosis.rules.join(', ')}</code>.
        </p>
      ) : diagnosis?.kind === 'unreadable' ? (
        <p>
          The document is <code>{diagnosis.fault}</code>; no call was made.
        </p>
      ) : (
        <p>
          {outcome.bestEffort === null
            ? 'No whole candidate was read.'
            : `The best candidate leaves ${counted(new Set(outcome.unmet.map(({ rule }) => rule)).size, 'rule')} unmet.`}
        </p>
      )}
      {reading?.humanRecord === null || reading === null ? null : (
        <p>
          <Mark sign={reading.humanRecord.status === 'human_verified' ? 'verified' : 'dead_letter'}>
            {reading.humanRecord.status === 'human_verified'
              ? 'Human verified since'
              : 'Rejected by a person since'}
          </Mark>
        </p>
      )}
    </section>
  );
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
