import type { LabelStanding } from '../../application/spec-labels.js';
import type { RouteCondition } from '../../domain/route.js';
import type { Field, Fields } from '../../spec/field.js';
import type { Spec } from '../../spec/spec.js';
import { count, counted, duration, money, percent } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { routeWords, SignShape } from '../parts/marks.js';
import { conditionsOf } from '../parts/route-words.js';
import { ShortId } from '../parts/short-id.js';
import { Time } from '../parts/time.js';
import { withQuery } from '../query.js';
import { Evaluations, type SpecEvaluations } from './spec-evaluations.js';

/** One version of a spec, and what is known of it. */
export interface SpecShown {
  readonly spec: Spec;
  readonly isCurrent: boolean;
  readonly evaluations: SpecEvaluations;
  /** Of all its versions. */
  readonly labels: readonly LabelStanding[];
}

export function specPage({ spec, isCurrent, evaluations, labels }: SpecShown) {
  const { policy, repairBudget } = spec;
  return (
    <>
      <div class="head">
        <div>
          <p class="crumbs">
            <a href="/console/specs">Specs</a> / <code>{spec.id}</code>
          </p>
          <h1>
            <bdi>{spec.title}</bdi>
          </h1>
          <p>
            Schema {spec.schemaVersion}, prompt {spec.prompt.version};{' '}
            {isCurrent
              ? 'new extractions start under it'
              : 'an older version, kept for what still runs or is parked under it'}
            .
          </p>
        </div>
        <div class="buttons">
          <a
            class="button"
            href={withQuery('/console/extractions', { spec: spec.id, prompt: spec.prompt.version })}
          >
            Its runs
          </a>
        </div>
      </div>
      <div class="columns wide-narrow">
        <div>
          <section aria-labelledby="h-rules">
            <div class="title">
              <h2 id="h-rules">Rules</h2>
              <span>{counted(spec.constraints.length, 'rule')}, all must hold</span>
            </div>
            <table class="folds">
              <thead>
                <tr>
                  <th scope="col">Rule</th>
                  <th scope="col" class="num">
                    Version
                  </th>
                  <th scope="col">What it says</th>
                  <th scope="col">A repair can mend it</th>
                </tr>
              </thead>
              <tbody>
                {spec.constraints.map((rule) => (
                  <tr>
                    <th scope="row" class="mono">
                      {rule.id}
                    </th>
                    <td class="num" data-label="version">
                      {rule.version}
                    </td>
                    <td class="full">{rule.says}</td>
                    <td data-label="a repair can mend it:">{rule.repairable ? 'yes' : 'no'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <section aria-labelledby="h-fields">
            <div class="title">
              <h2 id="h-fields">Fields</h2>
              <span>with the labels that documents print beside them</span>
            </div>
            <table class="folds">
              <tbody>
                <FieldRows fields={spec.fields} depth={0} />
              </tbody>
            </table>
          </section>
          <section aria-labelledby="h-prompt">
            <div class="title">
              <h2 id="h-prompt">Prompt {spec.prompt.version}</h2>
              <span>schema and rules follow it, the document comes last</span>
            </div>
            <pre class="snippet" tabindex={0}>
              {spec.prompt.text}
            </pre>
          </section>
        </div>
        <div>
          <section aria-labelledby="h-bounds">
            <div class="title">
              <h2 id="h-bounds">Bounds of a run</h2>
              <span />
            </div>
            <dl class="facts">
              <dt>Attempts</dt>
              <dd>at most {policy.attemptCap}</dd>
              <dt>Deadline</dt>
              <dd>{duration(policy.deadlineMs)}</dd>
              <dt>Tokens</dt>
              <dd>at most {count(policy.tokenCap)}</dd>
              <dt>Money</dt>
              <dd>{policy.moneyCap === null ? 'no cap' : `at most ${money(policy.moneyCap)}`}</dd>
              <dt>Token ceilings</dt>
              <dd>{policy.tokenCeilings.map(count).join(', ')}</dd>
              <dt>Models</dt>
              <dd>{policy.models.join(', ')}</dd>
              <dt>Repair budget</dt>
              <dd>
                {percent(repairBudget.share)} of first calls, at least {repairBudget.floor} in{' '}
                {duration(repairBudget.windowMs)}
              </dd>
              <dt>Sample of what verifies</dt>
              <dd>{percent(spec.sampleShare)}</dd>
              <dt>May verify without a text layer</dt>
              <dd>{spec.allowUngrounded ? 'yes' : 'no'}</dd>
            </dl>
          </section>
          <Labels labels={labels} />
          <section aria-labelledby="h-routes">
            <div class="title">
              <h2 id="h-routes">Routes</h2>
              <span>first match wins</span>
            </div>
            <table>
              <tbody>
                {policy.routes.map(({ to, when }) => (
                  <tr>
                    <td class="nowrap">
                      <SignShape sign={to} /> {routeWords[to]}
                    </td>
                    <td class="second">{routeSays(when)}</td>
                  </tr>
                ))}
                {policy.routes.some(({ when }) => routeSays(when) === always) ? null : (
                  <tr>
                    <td class="nowrap">
                      <SignShape sign="dead_letter" /> {routeWords.dead_letter}
                    </td>
                    <td class="second">the end of the table</td>
                  </tr>
                )}
              </tbody>
            </table>
          </section>
          {spec.templates.length === 0 ? null : (
            <section aria-labelledby="h-templates">
              <div class="title">
                <h2 id="h-templates">Templates</h2>
                <span>few fields, without a model</span>
              </div>
              <p>{spec.templates.map(({ id }) => id).join(', ')}</p>
            </section>
          )}
        </div>
      </div>
      <Evaluations spec={spec} isCurrent={isCurrent} evaluations={evaluations} />
    </>
  );
}

const standingWords = {
  here: 'as it was',
  changed: 'changed under its label',
  gone: 'not here any more',
} as const;

/** A label stands for one content for ever: which, and since when. */
function Labels({ labels }: { readonly labels: readonly LabelStanding[] }) {
  return (
    <section aria-labelledby="h-labels">
      <div class="title">
        <h2 id="h-labels">Labels</h2>
        <span>each stands for one content for ever</span>
      </div>
      {labels.length === 0 ? (
        <p class="second">
          No label of this spec was used yet: its first extraction fixes what they stand for.
        </p>
      ) : (
        <table>
          <Heads columns={['Label', 'Content', 'Here', ['First used', 'num']]} />
          <tbody>
            {labels.map(({ label, version, hash, firstUsedAt, standing }) => (
              <tr>
                <th scope="row" class="nowrap">
                  {label} {version}
                </th>
                <td class="mono">
                  <ShortId id={hash} />
                </td>
                <td class={standing === 'changed' ? 't-dead' : 'second'}>
                  <SignShape sign={labelSigns[standing]} /> {standingWords[standing]}
                </td>
                <td class="num">
                  <Time at={firstUsedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const labelSigns = { here: 'holds', changed: 'broken', gone: 'unread' } as const;

function FieldRows({ fields, depth }: { readonly fields: Fields; readonly depth: number }) {
  return (
    <>
      {Object.entries(fields).map(([name, field]: [string, Field<unknown>]) => (
        <>
          <tr>
            <th scope="row" class="mono">
              {'· '.repeat(depth)}
              {name}
            </th>
            <td class="title-cell">
              <bdi>{field.title}</bdi>
            </td>
            <td class="second">
              {field.kind}
              {field.asPrinted ? ', may be not printed or blank' : ''}
            </td>
            <td class="second small full">{field.print?.labels.slice(1).join(', ') ?? ''}</td>
          </tr>
          {field.children === null ? null : <FieldRows fields={field.children} depth={depth + 1} />}
        </>
      ))}
    </>
  );
}

const always = 'always';

function routeSays(when: RouteCondition | undefined): string {
  const conditions = when === undefined ? '' : conditionsOf(when);
  return conditions === '' ? always : `if ${conditions}`;
}
