import { diffCandidates } from '../../application/review-fields.js';
import { RuleMatrix } from '../parts/rules.js';
import { Timeline } from '../parts/timeline.js';
import { Diagnosis } from './extraction-diagnosis.js';
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
