import type { ReviewStepView } from '../../application/views/review-view.js';
import { get } from '../../verification/pointer.js';
import { readable } from '../amounts.js';
import { duration } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { SignShape } from '../parts/marks.js';
import { Time } from '../parts/time.js';
import { Value } from '../parts/values.js';
import { type Desk, verbWords } from '../review-desk.js';

/** How the candidates came about: every attempt, and the fields in which they differ. */
export function AttemptsTab({ desk }: { readonly desk: Desk }) {
  const { sheet, attempts } = desk;
  const read = attempts.filter(({ candidate }) => candidate !== null);
  return (
    <section class="fields past" id="attempts" role="tabpanel" aria-labelledby="tab-attempts" tabindex={0}>
      <h2 class="no-script">Attempts</h2>
      {sheet.changes.length === 0 ? (
        <p class="second">
          {read.length < 2
            ? 'There are no two candidates to compare.'
            : 'All candidates hold the same values.'}
        </p>
      ) : (
        <div class="scroll">
          <table>
            <Heads columns={['Field', ...read.map(({ report }) => `Attempt ${report.attempt}`)]} />
            <tbody>
              {sheet.changes.map(({ pointer, title }) => (
                <tr>
                  <th scope="row">{title ?? <code>{pointer}</code>}</th>
                  {read.map(({ candidate, problems }, index) => {
                    const value = get(candidate, pointer) as string | undefined;
                    const before = index === 0 ? value : get(read[index - 1]?.candidate, pointer);
                    const isBroken = problems.some((problem) => problem.pointer === pointer);
                    return (
                      <td>
                        {value === before ? (
                          <Value value={readable(desk.spec, pointer, value)} />
                        ) : (
                          <ins>
                            <Value value={readable(desk.spec, pointer, value)} />
                          </ins>
                        )}{' '}
                        {isBroken ? <SignShape sign="broken" label="a rule is broken" /> : null}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <table>
        <Heads columns={['Attempt', 'Came to', 'Broken rules', ['Took', 'num']]} />
        <tbody>
          {attempts.map(({ report, problems }) => (
            <tr>
              <td>{report.attempt}</td>
              <td>
                {report.result.kind === 'accepted' ? (
                  'accepted'
                ) : (
                  <span class="class">{report.result.failureClass}</span>
                )}
              </td>
              <td class="mono">{[...new Set(problems.map(({ rule }) => rule))].join(', ') || '–'}</td>
              <td class="num">{duration(report.durationMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Everything that happened to the review, the newest first. */
export function HistoryTab({ desk }: { readonly desk: Desk }) {
  return (
    <section class="fields past" id="history" role="tabpanel" aria-labelledby="tab-history" tabindex={0}>
      <h2 class="no-script">History</h2>
      <table>
        <tbody>
          {desk.sheet.trail.toReversed().map((step) => (
            <tr>
              <td class="second">
                <Time at={step.at} />
              </td>
              <td>
                <Step step={step} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Step({ step }: { readonly step: ReviewStepView }) {
  const { kind, actor, holder, note, decision, run } = step;
  const by = actor === null ? '' : actor;
  const words: Readonly<Record<ReviewStepView['kind'], string>> = {
    opened: `opened by run ${run?.run ?? '?'}`,
    renewed: `renewed: run ${run?.run ?? '?'} was exhausted, too`,
    reopened: `opened again by run ${run?.run ?? '?'}`,
    claimed: `${by} took it`,
    extended: `${by} held on`,
    released: `${by} let it go`,
    expired: `the lease of ${holder ?? 'somebody'} ran out`,
    stolen: `${by} took it over from ${holder ?? 'somebody'}`,
    escalated: 'it was due, and was escalated',
    decided: `${by}: ${decision === null ? 'decided' : verbWords[decision.verb]}${
      decision?.carriedOut === false ? ' (somebody was faster; nothing came of it)' : ''
    }`,
    withdrawn: `withdrawn: ${run === null ? 'its document was erased' : `run ${run.run} verified the document`}`,
  };
  return (
    <>
      <bdi>{words[kind]}</bdi>
      {note === null ? null : (
        <div class="second small">
          <bdi>{note}</bdi>
        </div>
      )}
      {decision !== null && decision.overrides.length > 0 ? (
        <div class="small">
          overrode <code>{decision.overrides.join(', ')}</code>
        </div>
      ) : null}
    </>
  );
}
