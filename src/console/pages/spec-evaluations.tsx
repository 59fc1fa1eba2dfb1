import type { ComparedEvaluation } from '../../application/read-evaluations.js';
import type { KeptEvaluation } from '../../ports/evaluation-store.js';
import type { Spec } from '../../spec/spec.js';
import { count, percent } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { ShortId } from '../parts/short-id.js';
import { Time } from '../parts/time.js';
import { EvaluationFigures, hrefOfEvaluation } from './evaluation.js';
import { verifiedOf } from './evaluation-parts.js';

/** What was measured of one version. */
export interface SpecEvaluations {
  /** The newest one; null: none was made, or none that the visitor may see. */
  readonly latest: ComparedEvaluation | null;
  readonly older: readonly KeptEvaluation[];
  /** A key of one tenant does not see them: they are tenants of their own. */
  readonly isOfOneTenant: boolean;
}

/** The newest evaluation of a version, and the way to the older ones. */
export function Evaluations({
  spec,
  isCurrent,
  evaluations: { latest, older, isOfOneTenant },
}: {
  readonly spec: Spec;
  readonly isCurrent: boolean;
  readonly evaluations: SpecEvaluations;
}) {
  const command = `npx endstop spec eval ${spec.id}${isCurrent ? '' : ` --with ${spec.prompt.version}`}`;
  if (latest === null) {
    return (
      <section aria-labelledby="h-evaluated">
        <div class="title">
          <h2 id="h-evaluated">Evaluated</h2>
          <span />
        </div>
        {isOfOneTenant ? (
          <p class="second">
            Evaluations run as tenants of their own: a key that sees all tenants shows what they came to.
          </p>
        ) : (
          <p class="empty">
            This version was not evaluated yet. Try it on documents whose right answer is known:{' '}
            <code>{command}</code>
          </p>
        )}
      </section>
    );
  }
  return (
    <>
      <div class="columns wide-narrow">
        <EvaluationFigures compared={latest} spec={spec} />
      </div>
      {older.length === 0 ? null : (
        <section aria-labelledby="h-eval-older">
          <div class="title">
            <h2 id="h-eval-older">Evaluated before</h2>
            <span>the same version, the newest first</span>
          </div>
          <EvaluationRows evaluations={older} />
        </section>
      )}
    </>
  );
}

function EvaluationRows({ evaluations }: { readonly evaluations: readonly KeptEvaluation[] }) {
  return (
    <table class="rows folds">
      <Heads
        columns={[
          'Evaluation',
          ['Documents', 'num'],
          ['Verified', 'num'],
          ['Wrong', 'num'],
          ['Tokens', 'num'],
          'Model',
          ['When', 'num'],
        ]}
      />
      <tbody>
        {evaluations.map((evaluation) => (
          <tr>
            <td>
              <a class="mono nowrap" href={hrefOfEvaluation(evaluation)}>
                <ShortId id={evaluation.id} />
              </a>
            </td>
            <td class="num" data-label="documents">
              {count(evaluation.documents)}
            </td>
            <td class="num" data-label="verified">
              {percent(verifiedOf(evaluation) / Math.max(1, evaluation.documents))}
            </td>
            <td class="num" data-label="wrong">
              {count(evaluation.wrong.length)}
            </td>
            <td class="num" data-label="tokens">
              {count(evaluation.tokens)}
            </td>
            <td>{evaluation.models.join(', ')}</td>
            <td class="num">
              <Time at={evaluation.endedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
