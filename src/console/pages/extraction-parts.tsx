import type { FieldChange } from '../../application/review-fields.js';
import { readFields } from '../../application/review-fields.js';
import type { AttemptView } from '../../application/views/attempt-view.js';
import type { Attempt } from '../../ports/attempt-store.js';
import { type EvidenceContext, evidenceContext } from '../evidence-context.js';
import { bytes, count, duration } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { SignShape } from '../parts/marks.js';
import { Time } from '../parts/time.js';
import { Value } from '../parts/values.js';
import { isSought } from '../sought.js';
import type { ExtractionShown } from './extraction-shown.js';

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
  // The last candidate may have given up what stands on the page; an earlier one still says where.
  const places = read.toReversed().flatMap(({ evidence }) => evidence);
  const printed = (pointer: string) => places.find((found) => found.pointer === pointer) ?? null;
  return (
    <section aria-labelledby="h-diff">
      <div class="title">
        <h2 id="h-diff">What changed between candidates</h2>
        <span>attempts {numbers.join(', ')}</span>
      </div>
      <div class="scroll">
        <table class="folds">
          <Heads columns={['Field', ...numbers.map((attempt) => `Attempt ${attempt}`), 'Printed']} />
          <tbody>
            {changes.map(({ pointer, values }) => {
              const found = printed(pointer);
              return (
                <tr>
                  <th scope="row" class="mono full">
                    {pointer.slice(1)}
                  </th>
                  {numbers.map((attempt, index) => {
                    const of = (number: number | undefined) =>
                      values.find((value) => value.attempt === number)?.value;
                    const [before, here, after] = [numbers[index - 1], attempt, numbers[index + 1]].map(of);
                    const isOther = (value: typeof here) => JSON.stringify(value) !== JSON.stringify(here);
                    const Changed =
                      index > 0 && isOther(before)
                        ? 'ins'
                        : index + 1 < numbers.length && isOther(after)
                          ? 'del'
                          : 'span';
                    return (
                      <td data-label={`attempt ${attempt}:`}>
                        <Changed>
                          <Value value={here} />
                        </Changed>
                      </td>
                    );
                  })}
                  <td class="second" data-label="printed:">
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
      {context === null ? null : (
        <p class="small second">
          {context.isEarlier ? (
            <>
              <code>{context.pointer.slice(1)}</code> is not printed as this candidate has it. Outlined: what
              the page says in its place, <bdi>{context.printed}</bdi>.
            </>
          ) : (
            <>
              Marked: <code>{context.pointer.slice(1)}</code>.
            </>
          )}
        </p>
      )}
      <table class="folds">
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
                  {found === undefined
                    ? (absenceOf(last, pointer) ?? (isSought(spec, pointer) ? '–' : 'not looked for'))
                    : `p. ${found.page}, ${count(found.start)}–${count(found.end)}`}
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

/** Where a rule looked for the value and did not find it; null: none did. */
function absenceOf({ problems }: Attempt, pointer: string): string | null {
  const said = problems.find((problem) => problem.pointer === pointer && /not printed/.test(problem.message));
  if (said === undefined) return null;
  return said.message.includes('beside its label') ? 'not printed at its label' : 'not printed';
}

function Snippet({ context }: { readonly context: EvidenceContext }) {
  return (
    <pre class="snippet" tabindex={0}>
      <bdi>
        {context.before}
        <mark {...(context.isEarlier ? { class: 'instead' } : {})}>{context.printed}</mark>
        {context.after}
      </bdi>
    </pre>
  );
}

/** The page of the batch or the redrive that this id of a workflow names. */
function manyHref(workflowId: string): string {
  const [kind, ...id] = workflowId.split('/');
  return `/console/${kind === 'redrive' ? 'redrives' : 'batches'}/${encodeURIComponent(id.join('/'))}`;
}

export function Kept({ shown }: { readonly shown: ExtractionShown }) {
  const { run, extraction, document, reading } = shown;
  const { policy } = extraction;
  const human = reading?.humanRecord ?? null;
  return (
    <section class="kept" aria-labelledby="h-kept">
      <div class="title">
        <h2 id="h-kept">Kept with it</h2>
        <span>{run.erasedAt === null ? '' : 'erased'}</span>
      </div>
      <dl class="facts">
        <dt>ID</dt>
        <dd>
          <code>{run.id}</code>
        </dd>
        <dt>Document</dt>
        <dd>
          {document === null ? (
            'no longer kept'
          ) : (
            <>
              <a href={`/console/extractions/${run.id}/document`}>
                <bdi>{run.fileName ?? 'no name'}</bdi>
              </a>
              , {bytes(document.bytes.byteLength)}
            </>
          )}
        </dd>
        <dt>Policy</dt>
        <dd>
          cap {policy.attemptCap}, {duration(policy.deadlineMs)}, {count(policy.tokenCap)} tokens
        </dd>
        <dt>Model</dt>
        <dd>
          {policy.models.join(', ')}
          {run.provider === null ? ', none answered' : ` at ${run.provider}`}
        </dd>
        {run.batch === null ? null : (
          <>
            <dt>Batch</dt>
            <dd>
              <a href={manyHref(run.batch)}>{run.batch}</a>,{' '}
              <a href={`/console/extractions?batch=${encodeURIComponent(run.batch)}`}>its runs</a>
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
