import { reasonSays } from '../../domain/reason.js';
import type { KeptEvaluation } from '../../ports/evaluation-store.js';
import type { Spec } from '../../spec/spec.js';
import { cost, count, counted, duration, percent } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { routeWords, SignShape } from '../parts/marks.js';
import { ShortId } from '../parts/short-id.js';
import { withQuery } from '../query.js';

/** What a version verified of its truth set. */
export function verifiedOf({ curve }: KeptEvaluation): number {
  return curve.at(-1)?.verified ?? 0;
}

export function Fields({
  evaluation,
  before,
  spec,
}: {
  readonly evaluation: KeptEvaluation;
  readonly before: KeptEvaluation | null;
  readonly spec: Spec | null;
}) {
  const share = ({ right, of }: { readonly right: number; readonly of: number }) =>
    of === 0 ? null : right / of;
  return (
    <table>
      <caption class="aloud">Fields that are right, of records that verified and could be compared</caption>
      <Heads columns={['Field', ['Right', 'num'], ['Of', 'num'], ['Share', 'num'], ['Change', 'num']]} />
      <tbody>
        {evaluation.fields.map((field) => {
          const old = before?.fields.find(({ pointer }) => pointer === field.pointer);
          return (
            <tr>
              <th scope="row">
                {spec?.fields[field.pointer.slice(1)]?.title ?? field.pointer}{' '}
                <span class="mono grey small">{field.pointer}</span>
              </th>
              <td class="num">{count(field.right)}</td>
              <td class="num">{count(field.of)}</td>
              <td class="num">{percent(share(field))}</td>
              <td class="num">
                <Change now={share(field)} before={old === undefined ? null : share(old)} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** In points, with its sign: more is better. */
function Change({ now, before }: { readonly now: number | null; readonly before: number | null }) {
  if (now === null || before === null) return <span class="grey">–</span>;
  const points = Math.round((now - before) * 1_000) / 10;
  if (points === 0) return <span class="grey">as before</span>;
  return points > 0 ? (
    <span class="t-ok">+{points.toFixed(1)} points</span>
  ) : (
    <span class="t-dead">−{Math.abs(points).toFixed(1)} points</span>
  );
}

export function Totals({
  evaluation,
  before,
}: {
  readonly evaluation: KeptEvaluation;
  readonly before: KeptEvaluation | null;
}) {
  const { documents, curve } = evaluation;
  const share = (of: KeptEvaluation, verified: number | undefined) =>
    verified === undefined || of.documents === 0 ? null : verified / of.documents;
  return (
    <dl class="facts">
      {curve.map(({ attempts, verified }) => (
        <>
          <dt>Verified after {counted(attempts, 'attempt')}</dt>
          <dd>
            <b>{count(verified)}</b> of {count(documents)}, {percent(share(evaluation, verified))}{' '}
            {before === null ? null : (
              <Change
                now={share(evaluation, verified)}
                before={share(before, (before.curve[attempts - 1] ?? before.curve.at(-1))?.verified)}
              />
            )}
          </dd>
        </>
      ))}
      <dt>Of these wrong</dt>
      <dd>
        {count(evaluation.wrong.length)}
        {before === null ? '' : `, before ${count(before.wrong.length)}`}
      </dd>
      <dt>Without a known truth</dt>
      <dd>{count(evaluation.unjudged)}</dd>
      <dt>Calls</dt>
      <dd>
        {count(evaluation.calls)}
        {before === null ? '' : `, before ${count(before.calls)}`}
      </dd>
      <dt>Tokens</dt>
      <dd>
        {count(evaluation.tokens)}
        {before === null ? '' : `, before ${count(before.tokens)}`}
      </dd>
      <dt>Money</dt>
      <dd>
        {evaluation.cost.map(cost).join(', ')}
        {before === null ? '' : `, before ${before.cost.map(cost).join(', ')}`}
      </dd>
      <dt>Took</dt>
      <dd>{duration(evaluation.endedAt - evaluation.beganAt)}</dd>
    </dl>
  );
}

export function Landed({ evaluation }: { readonly evaluation: KeptEvaluation }) {
  const { landed, classes, documents, tenant } = evaluation;
  return (
    <section aria-labelledby="h-eval-landed">
      <div class="title">
        <h2 id="h-eval-landed">Where the rest landed</h2>
        <span>{counted(documents - verifiedOf(evaluation), 'document')}</span>
      </div>
      {landed.length === 0 ? (
        <p class="second">All of it verified.</p>
      ) : (
        <table>
          <tbody>
            {landed.map(({ reason, route, documents: ended }) => (
              <tr>
                <th scope="row">
                  <a
                    class="reason"
                    href={withQuery('/console/extractions', { tenant, reason })}
                    title={reasonSays[reason]}
                  >
                    {reason}
                  </a>
                </th>
                <td class="nowrap">
                  {route === null ? (
                    'nowhere'
                  ) : (
                    <>
                      <SignShape sign={route} /> {routeWords[route]}
                    </>
                  )}
                </td>
                <td class="num">{count(ended)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {classes.length === 0 ? null : (
        <p class="second">
          By class:{' '}
          {classes.map(({ failureClass, documents: ended }, index) => (
            <>
              {index === 0 ? '' : ', '}
              <a href={withQuery('/console/extractions', { tenant, class: failureClass })}>{failureClass}</a>{' '}
              {count(ended)}
            </>
          ))}
        </p>
      )}
    </section>
  );
}

export function Wrong({ evaluation: { wrong } }: { readonly evaluation: KeptEvaluation }) {
  if (wrong.length === 0) return null;
  return (
    <section aria-labelledby="h-eval-wrong">
      <div class="title">
        <h2 id="h-eval-wrong">Verified, and wrong all the same</h2>
        <span>a rule is missing, or the truth is wrong</span>
      </div>
      <table>
        <tbody>
          {wrong.map(({ extractionId, differs }) => (
            <tr>
              <th scope="row">
                <a class="mono" href={`/console/extractions/${extractionId}`}>
                  <ShortId id={extractionId} />
                </a>
              </th>
              <td class="mono">{differs.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
