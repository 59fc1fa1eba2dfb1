import type { FieldChange } from '../../application/review-fields.js';
import { readFields } from '../../application/review-fields.js';
import type { AttemptView } from '../../application/views/attempt-view.js';
import type { RouteCondition } from '../../domain/route.js';
import type { Attempt } from '../../ports/attempt-store.js';
import { type EvidenceContext, evidenceContext } from '../evidence-context.js';
import { bytes, count, duration } from '../parts/format.js';
import { routeWords, SignShape } from '../parts/marks.js';
import { Time } from '../parts/time.js';
import { Value } from '../parts/values.js';
import type { ExtractionShown } from './extraction.js';

/** Fields whose value differed between attempts, the change marked; and how the last one stands in the document. */
export function CandidateDiff({
  changes,
  stored,
}: {
  readonly changes: readonly FieldChange[];
  readonly stored: readonly Attempt[];
}) {
  const read = stored.filter(({ candidate }) => candidate !== null);
  const numbers = read.map(({ report }) => report.attempt);
  const printed = (pointer: string) =>
    read.at(-1)?.evidence.find((found) => found.pointer === pointer) ?? null;
  return (
    <section aria-labelledby="h-diff">
      <div class="title">
        <h2 id="h-diff">What changed between candidates</h2>
        <span>attempts {numbers.join(', ')}</span>
      </div>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              {numbers.map((attempt) => (
                <th scope="col">Attempt {attempt}</th>
              ))}
              <th scope="col">Printed</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ pointer, values }) => {
              const found = printed(pointer);
              return (
                <tr>
                  <th scope="row" class="mono">
                    {pointer.slice(1)}
                  </th>
                  {numbers.map((attempt, index) => {
                    const here = values.find((value) => value.attempt === attempt);
                    const before = values.find((value) => value.attempt === numbers[index - 1]);
                    const differs =
                      index > 0 && JSON.stringify(here?.value) !== JSON.stringify(before?.value);
                    return (
                      <td>
                        {differs ? (
                          <ins>
                            <Value value={here?.value} />
                          </ins>
                        ) : (
                          <Value value={here?.value} />
                        )}
                      </td>
                    );
                  })}
                  <td class="second">
                    {found === null ? '–' : <bdi>{`${found.printed}, p. ${found.page}`}</bdi>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export function Feedback({ attempt }: { readonly attempt: AttemptView }) {
  const text = attempt.feedback ?? '';
  return (
    <section aria-label={`Feedback sent with attempt ${attempt.attempt}`}>
      <div class="title">
        <h2>Feedback sent with attempt {attempt.attempt}</h2>
        <span>{count(new TextEncoder().encode(text).length)} bytes of 2,048</span>
      </div>
      <pre class="snippet" tabindex={0}>
        {text}
      </pre>
    </section>
  );
}

/** The routing table that held for this run, the deciding line marked. */
export function RouteTaken({ shown }: { readonly shown: ExtractionShown }) {
  const { explained, extraction, review, letter } = shown;
  if (extraction.route === null) return null;
  const last = explained?.explanations.at(-1);
  return (
    <section aria-labelledby="h-route">
      <div class="title">
        <h2 id="h-route">Route taken</h2>
        <span>first match wins</span>
      </div>
      {last === undefined || last.decidedBy === 'systemic' ? (
        <p class="second">
          <SignShape sign={extraction.route} /> <b>{routeWords[extraction.route]}</b>
          {last?.decidedBy === 'systemic'
            ? ': the reason says nothing about the document, so the table is not asked.'
            : ''}
        </p>
      ) : (
        <table>
          <tbody>
            {last.lines.map(({ to, when, unmet, tried, taken }) => (
              <tr class={taken ? '' : 'off'}>
                <td class="nowrap">
                  <SignShape sign={taken ? to : 'unread'} label={taken ? 'taken' : 'not taken'} />
                </td>
                <td>{taken ? <b>{routeLine(to, when)}</b> : routeLine(to, when)}</td>
                <td class="num">
                  {taken
                    ? 'taken'
                    : tried
                      ? 'tried, nothing found'
                      : unmet.length > 0
                        ? `not ${unmet.map(conditionWord).join(', ')}`
                        : 'not reached'}
                </td>
              </tr>
            ))}
            {last.decidedBy === 'end_of_table' ? (
              <tr>
                <td>
                  <SignShape sign="dead_letter" />
                </td>
                <td>
                  <b>Dead letter</b>, the end of the table
                </td>
                <td class="num">taken</td>
              </tr>
            ) : null}
          </tbody>
        </table>
      )}
      {review === null ? null : (
        <p class="small second">
          Review {review.state === 'open' ? 'waiting since' : `${review.state}; asked on`}{' '}
          <Time at={review.createdAt} />
          {review.holder === null ? '' : `, held by ${review.holder}`}.{' '}
          <a href={`/console/reviews/${review.id}`}>Open</a>
        </p>
      )}
      {letter === null ? null : (
        <p class="small second">
          Dead letter {letter.state} since <Time at={letter.at} />
          {letter.redrivenInto === null ? null : (
            <>
              , run again as{' '}
              <a href={`/console/extractions/${letter.redrivenInto.key}?run=${letter.redrivenInto.run}`}>
                run {letter.redrivenInto.run}
              </a>
            </>
          )}
          .
        </p>
      )}
    </section>
  );
}

function routeLine(to: keyof typeof routeWords, when: RouteCondition): string {
  const conditions = Object.entries(when).map(([name, value]) => {
    if (typeof value === 'boolean') return value ? conditionWord(name) : `no ${conditionWord(name)}`;
    if (Array.isArray(value)) return `${conditionWord(name)} ${value.join(', ')}`;
    if (typeof value === 'number') return `${value} ${conditionWord(name)} or more`;
    return `amount ${value.amount} ${value.currency} or more`;
  });
  return conditions.length === 0 ? routeWords[to] : `${routeWords[to]}, if ${conditions.join(' and ')}`;
}

function conditionWord(name: string): string {
  const words: Readonly<Record<string, string>> = {
    reasons: 'reason',
    failureClasses: 'class',
    tenants: 'tenant',
    tags: 'tag',
    templateRecognised: 'template recognised',
    hasCandidate: 'whole candidate',
    pagesAtLeast: 'pages',
    amountAtLeast: 'amount',
  };
  return words[name] ?? name;
}

const mostFields = 12;

/** Where the values of the last whole candidate stand in the document, with the words around the first that matters. */
export function Evidences({ shown }: { readonly shown: ExtractionShown }) {
  const { stored, spec, text } = shown;
  const last = stored.findLast(({ candidate }) => candidate !== null);
  if (last === undefined) return null;
  const fields = readFields(spec?.fields ?? {}, last);
  const context = evidenceContext(
    text,
    fields,
    stored.flatMap(({ evidence }) => evidence),
  );
  return (
    <section aria-labelledby="h-evidence">
      <div class="title">
        <h2 id="h-evidence">Evidence</h2>
        <span>
          candidate of attempt {last.report.attempt}, {text === null ? 'no text layer' : 'text layer'}
        </span>
      </div>
      {context === null ? null : <Snippet context={context} />}
      <table>
        <tbody>
          {fields.slice(0, mostFields).map(({ pointer, state, value, evidence }) => {
            const [found] = evidence;
            return (
              <tr>
                <th scope="row" class="mono">
                  {pointer.slice(1)}
                </th>
                <td>
                  {state === 'value' ? (
                    <Value value={value} />
                  ) : (
                    <Value value={state === 'missing' ? undefined : state === 'null' ? null : state} />
                  )}
                  {found === undefined || found.printed === value ? null : (
                    <span class="grey small">
                      {' '}
                      printed <bdi>{found.printed}</bdi>
                    </span>
                  )}
                  {found?.otherReadings === undefined ? null : (
                    <>
                      {' '}
                      <SignShape sign="warning" label="can be read in two ways" />
                    </>
                  )}
                </td>
                <td class="num second">
                  {found === undefined ? '–' : `p. ${found.page}, ${count(found.start)}–${count(found.end)}`}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {fields.length > mostFields ? (
        <details>
          <summary>All {fields.length} fields</summary>
          <pre class="snippet" tabindex={0}>
            {JSON.stringify(last.candidate, null, 2)}
          </pre>
        </details>
      ) : null}
    </section>
  );
}

function Snippet({ context }: { readonly context: EvidenceContext }) {
  return (
    <pre class="snippet" tabindex={0}>
      <bdi>
        {context.before}
        <mark>{context.printed}</mark>
        {context.after}
      </bdi>
    </pre>
  );
}

export function Kept({ shown }: { readonly shown: ExtractionShown }) {
  const { run, extraction, document, reading } = shown;
  const { policy } = extraction;
  const human = reading?.humanRecord ?? null;
  return (
    <section aria-labelledby="h-kept">
      <div class="title">
        <h2 id="h-kept">Kept with it</h2>
        <span>{run.erasedAt === null ? '' : 'erased'}</span>
      </div>
      <dl class="facts">
        <dt>Extraction key</dt>
        <dd>
          <code>{run.id}</code>
        </dd>
        <dt>Document</dt>
        <dd>
          {document === null ? (
            'no longer kept'
          ) : (
            <>
              <a href={`/console/extractions/${run.id}/document`}>{run.fileName ?? 'no name'}</a>,{' '}
              {bytes(document.bytes.byteLength)}
            </>
          )}
        </dd>
        <dt>Policy</dt>
        <dd>
          cap {policy.attemptCap}, {duration(policy.deadlineMs).replace('.0 s', ' s')},{' '}
          {count(policy.tokenCap)} tokens
        </dd>
        <dt>Model</dt>
        <dd>
          {policy.models.join(', ')} at {run.provider}
        </dd>
        {run.batch === null ? null : (
          <>
            <dt>Batch</dt>
            <dd>
              <a href={`/console/extractions?batch=${encodeURIComponent(run.batch)}`}>{run.batch}</a>
            </dd>
          </>
        )}
        <dt>Record made later</dt>
        <dd>
          {human === null ? (
            'none'
          ) : (
            <>
              {human.status === 'human_verified' ? 'by a person' : 'rejected by a person'},{' '}
              <Time at={human.at} />
            </>
          )}
        </dd>
      </dl>
    </section>
  );
}
