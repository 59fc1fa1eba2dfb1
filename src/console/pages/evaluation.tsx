import type { ComparedEvaluation } from '../../application/read-evaluations.js';
import { wilsonInterval } from '../../domain/wilson-interval.js';
import type { KeptEvaluation } from '../../ports/evaluation-store.js';
import type { Spec } from '../../spec/spec.js';
import { count, counted, percent } from '../parts/format.js';
import { ShortId } from '../parts/short-id.js';
import { Time } from '../parts/time.js';
import { withQuery } from '../query.js';
import { Fields, Landed, Totals, verifiedOf, Wrong } from './evaluation-parts.js';

export function hrefOfEvaluation({ id }: KeptEvaluation): string {
  return `/console/evaluations/${id}`;
}

/** One evaluation as a page of its own: also of versions that this server no longer has. */
export function evaluationPage(compared: ComparedEvaluation, spec: Spec | null) {
  const { evaluation } = compared;
  const { specId, schemaVersion, promptVersion } = evaluation;
  const version = `/console/specs/${[specId, schemaVersion, promptVersion].map(encodeURIComponent).join('/')}`;
  return (
    <>
      <div class="head">
        <div>
          <p class="crumbs">
            <a href="/console/specs">Specs</a> /{' '}
            {spec === null ? <code>{specId}</code> : <a href={version}>{specId}</a>} / evaluation
          </p>
          <h1>
            Evaluation <ShortId id={evaluation.id} />
          </h1>
          <p>
            Schema {schemaVersion}, prompt {promptVersion} of {specId}
            {spec === null ? ', which this server does not have any more' : ''}.
          </p>
        </div>
      </div>
      <div class="columns wide-narrow">
        <EvaluationFigures compared={compared} spec={spec} />
      </div>
    </>
  );
}

/** The figures of one evaluation beside those of the version before: two columns. */
export function EvaluationFigures({
  compared,
  spec,
}: {
  readonly compared: ComparedEvaluation;
  readonly spec: Spec | null;
}) {
  const { evaluation, before, isFirst } = compared;
  const { documents, tenant } = evaluation;
  const verified = verifiedOf(evaluation);
  const { low, high } = wilsonInterval(verified, documents);
  return (
    <>
      <div>
        <section aria-labelledby="h-evaluated">
          <div class="title">
            <h2 id="h-evaluated">Evaluated</h2>
            <span>on documents whose right answer is known</span>
          </div>
          <p>
            <b>{percent(verified / Math.max(1, documents))}</b> verified, {count(verified)} of{' '}
            <a class="figure" href={withQuery('/console/extractions', { tenant })}>
              {counted(documents, 'document')}
            </a>{' '}
            (95 % interval {percent(low)} to {percent(high)}), <b>{count(evaluation.wrong.length)}</b> of
            these wrong; by {evaluation.models.join(', ') || 'no model'} from{' '}
            {evaluation.providers.join(', ') || 'nobody'}, <Time at={evaluation.endedAt} />.
          </p>
          <p class="second">
            {before !== null ? (
              <>
                Changes are against{' '}
                <a href={hrefOfEvaluation(before)}>
                  prompt {before.promptVersion}, schema {before.schemaVersion}
                </a>{' '}
                on the same documents, <Time at={before.endedAt} />.
              </>
            ) : isFirst ? (
              'No version before it was evaluated, so there is nothing to hold it against.'
            ) : (
              'The versions before it were evaluated on other documents: there is nothing to hold it against.'
            )}
          </p>
          <Fields evaluation={evaluation} before={before} spec={spec} />
        </section>
        <Wrong evaluation={evaluation} />
      </div>
      <div>
        <section aria-labelledby="h-eval-yield">
          <div class="title">
            <h2 id="h-eval-yield">Yield and price</h2>
            <span />
          </div>
          <Totals evaluation={evaluation} before={before} />
        </section>
        <Landed evaluation={evaluation} />
      </div>
    </>
  );
}
