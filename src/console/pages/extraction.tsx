import { diffCandidates } from '../../application/review-fields.js';
import { reasonSays } from '../../domain/reason.js';
import { ContradictionTable } from '../parts/contradiction.js';
import { counted } from '../parts/format.js';
import { Mark } from '../parts/marks.js';
import { RuleMatrix } from '../parts/rules.js';
import { Time } from '../parts/time.js';
import { Timeline } from '../parts/timeline.js';
import { Bounds, Head } from './extraction-head.js';
import { CandidateDiff, Evidences, Feedback, Kept } from './extraction-parts.js';
import { RouteTaken } from './extraction-route.js';
import type { ExtractionShown } from './extraction-shown.js';

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
      <div class="columns wide-narrow run-columns">
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
          <Kept shown={shown} />
        </div>
        <div>
          <Diagnosis shown={shown} />
          <RouteTaken shown={shown} />
          <Evidences shown={shown} />
        </div>
      </div>
    </div>
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
