import type { KeptEvaluation } from '../../ports/evaluation-store.js';
import type { Catalogue } from '../../spec/catalogue.js';
import type { Spec } from '../../spec/spec.js';
import { count, duration, percent } from '../parts/format.js';
import { SignShape } from '../parts/marks.js';
import { withQuery } from '../query.js';
import { hrefOfEvaluation } from './evaluation.js';
import { verifiedOf } from './evaluation-parts.js';

export function specsPage(catalogue: Catalogue, evaluations: readonly KeptEvaluation[]) {
  const specs = catalogue.list();
  const evaluationOf = (spec: Spec) =>
    evaluations.find(
      ({ specId, schemaVersion, promptVersion }) =>
        specId === spec.id && schemaVersion === spec.schemaVersion && promptVersion === spec.prompt.version,
    );
  return (
    <>
      <div class="head">
        <div>
          <h1>Specs</h1>
          <p>
            What this server knows how to extract, in every version that it still runs. Specs are files: they
            change by a deploy, never here.
          </p>
        </div>
      </div>
      <section>
        {specs.length === 0 ? (
          <p class="empty">
            No specs are configured. Name spec files in <code>ENDSTOP_SPECS</code>.
          </p>
        ) : (
          <table class="rows folds">
            <thead>
              <tr>
                <th scope="col">Spec</th>
                <th scope="col">Schema</th>
                <th scope="col">Prompt</th>
                <th scope="col">New extractions</th>
                <th scope="col" class="num">
                  Fields
                </th>
                <th scope="col" class="num">
                  Rules
                </th>
                <th scope="col" class="num">
                  Cap
                </th>
                <th scope="col" class="num">
                  Deadline
                </th>
                <th scope="col" class="num">
                  Repair budget
                </th>
                <th scope="col">Evaluated</th>
                <th scope="col">Runs</th>
              </tr>
            </thead>
            <tbody>
              {specs.map((spec) => (
                <tr>
                  <td class="full">
                    <a href={hrefOf(spec)}>{spec.id}</a> <bdi class="second">{spec.title}</bdi>
                  </td>
                  <td data-label="schema">{spec.schemaVersion}</td>
                  <td data-label="prompt">{spec.prompt.version}</td>
                  <td>
                    {catalogue.current(spec.id) === spec ? (
                      <>
                        <SignShape sign="holds" /> start under it
                      </>
                    ) : (
                      <span class="grey">older, still run</span>
                    )}
                  </td>
                  <td class="num" data-label="fields">
                    {Object.keys(spec.fields).length}
                  </td>
                  <td class="num" data-label="rules">
                    {spec.constraints.length}
                  </td>
                  <td class="num" data-label="cap">
                    {spec.policy.attemptCap}
                  </td>
                  <td class="num" data-label="deadline">
                    {duration(spec.policy.deadlineMs)}
                  </td>
                  <td class="num" data-label="repairs">
                    {percent(spec.repairBudget.share)}
                  </td>
                  <td data-label="evaluated">
                    <Evaluated evaluation={evaluationOf(spec)} />
                  </td>
                  <td>
                    <a
                      href={withQuery('/console/extractions', { spec: spec.id, prompt: spec.prompt.version })}
                    >
                      Its runs
                    </a>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </>
  );
}

function Evaluated({ evaluation }: { readonly evaluation: KeptEvaluation | undefined }) {
  if (evaluation === undefined) return <span class="grey">not yet</span>;
  const { documents, wrong } = evaluation;
  return (
    <a href={hrefOfEvaluation(evaluation)}>
      {percent(verifiedOf(evaluation) / Math.max(1, documents))} of {count(documents)}, {count(wrong.length)}{' '}
      wrong
    </a>
  );
}

function hrefOf({ id, schemaVersion, prompt }: Spec): string {
  return `/console/specs/${[id, schemaVersion, prompt.version].map(encodeURIComponent).join('/')}`;
}
