import { reasonSays } from '../../domain/reason.js';
import { get } from '../../verification/pointer.js';
import { readable } from '../amounts.js';
import { spelled } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { SignShape } from '../parts/marks.js';
import { Value } from '../parts/values.js';
import type { Desk } from '../review-desk.js';
import { whyTitle } from './review-shown.js';

const mostRules = 3;

/** Why a person is asked, before anything else: the sentence, the broken rules, and what the rules work out. */
export function Why({ desk }: { readonly desk: Desk }) {
  const { sheet } = desk;
  const unmet = sheet.unmet.flatMap(({ rules, title, pointer }) =>
    rules.map((rule) => ({ ...rule, where: title ?? spelled(pointer) })),
  );
  const isPlain = sheet.kind === 'sample';
  return (
    <section class={isPlain ? 'why plain' : 'why'} aria-label="Why it is here">
      <div>
        <h1>{whyTitle(desk)}</h1>
        {unmet.slice(0, mostRules).map(({ where, message, rule }) => (
          <p class="said">
            {message.startsWith(`${where} `) ? null : <b>{where === '' ? 'The record' : where}:</b>}{' '}
            <bdi>{message}</bdi> <code class="second">{rule}</code>
          </p>
        ))}
        <p class="second">
          {sheet.reason === null ? (
            sheet.why
          ) : (
            <>
              Stopped by{' '}
              <span class="reason" title={reasonSays[sheet.reason]}>
                {sheet.reason}
              </span>{' '}
              after {desk.attempts.length === 1 ? '1 attempt' : `${desk.attempts.length} attempts`}.{' '}
              {unmet.length > mostRules ? `${unmet.length - mostRules} more rules are broken. ` : ''}
              {sheet.candidate === null ? 'No whole candidate was read, so the form is empty. ' : ''}
              {printedNowhere(desk)}
            </>
          )}
        </p>
      </div>
      <div>
        {sheet.diagnosis?.kind === 'contradiction' ? (
          <Contradiction desk={desk} />
        ) : (
          <Arithmetic desk={desk} />
        )}
      </div>
    </section>
  );
}

/** Values that a rule objects to and that an earlier attempt read otherwise, as the page prints them. */
function printedNowhere({ form, sheet }: Desk): string {
  const contested = new Set(sheet.unmet.map(({ pointer }) => pointer));
  const first = form.find((node) => node.kind === 'field' && contested.has(node.pointer));
  if (first?.kind !== 'field' || first.printed === null) return '';
  // The machine's own: the form may hold what somebody is typing.
  const { state, value } = sheet.fields.find(({ pointer }) => pointer === first.pointer) ?? {};
  return state !== 'value' || first.printed.value === value
    ? ''
    : `The page prints ${first.printed.printed}; ${String(value)} is printed nowhere.`;
}

function Contradiction({ desk }: { readonly desk: Desk }) {
  const { sheet, attempts } = desk;
  if (sheet.diagnosis?.kind !== 'contradiction') return null;
  const { rules, values, pointer, explanation } = sheet.diagnosis;
  const read = attempts.filter(({ candidate }) => candidate !== null).slice(-3);
  const field = sheet.fields.find((known) => known.pointer === pointer)?.title ?? pointer;
  return (
    <>
      <div class="scroll">
        <table class="folds">
          <Heads
            columns={[
              ...[`For ${field.toLowerCase()}, the rule`, 'wants', 'then breaks'],
              ...read.map(({ report }) => `attempt ${report.attempt}`),
            ]}
          />
          <tbody>
            {rules.map((rule, index) => (
              <tr>
                <th scope="row" class="mono">
                  {rule}
                </th>
                <td data-label="wants">{readable(desk.spec, pointer, values?.[index]) ?? '–'}</td>
                <td class="mono" data-label="then breaks">
                  {rules[1 - index]}
                </td>
                {read.map(({ report, problems, candidate }) => {
                  const isBroken = problems.some((problem) => problem.rule === rule);
                  return (
                    <td class="nowrap" data-label={`attempt ${report.attempt}`}>
                      <SignShape sign={isBroken ? 'broken' : 'holds'} label={isBroken ? 'broken' : 'holds'} />{' '}
                      <Value value={readable(desk.spec, pointer, get(candidate, pointer) as string)} />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <details>
        <summary>No value meets both: the fault is in the rules, or the document contradicts itself.</summary>
        <p>{explanation}</p>
      </details>
    </>
  );
}

function Arithmetic({ desk }: { readonly desk: Desk }) {
  const lines = desk.check?.arithmetic ?? desk.sheet.arithmetic;
  if (lines.length === 0) return null;
  return (
    <table id="arithmetic">
      <Heads
        columns={['Rule', ['works out', 'num'], ['the record holds', 'num'], ['Does it hold?', 'aloud']]}
      />
      <tbody>
        {lines.slice(0, 4).map(({ rule, says, computed, holds, pointer }) => (
          <tr data-arithmetic={rule} data-pointer={pointer}>
            <th scope="row">
              <code title={says}>{rule}</code>
            </th>
            <td class="num" data-computed>
              {readable(desk.spec, pointer, computed)}
            </td>
            <td class="num" data-holds>
              {readable(desk.spec, pointer, holds) ?? '–'}
            </td>
            <td class="num" data-sign>
              <ArithmeticSign desk={desk} rule={rule} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ArithmeticSign({ desk, rule }: { readonly desk: Desk; readonly rule: string }) {
  if (isBroken(desk, rule)) return <SignShape sign="broken" label="broken" />;
  return desk.check?.kind === 'misshapen' ? (
    <SignShape sign="unread" label="not checked yet" />
  ) : (
    <SignShape sign="holds" label="holds" />
  );
}

function isBroken({ check, sheet }: Desk, rule: string): boolean {
  return check === null
    ? sheet.unmet.some(({ rules }) => rules.some((broken) => broken.rule === rule))
    : check.unmet.some((problem) => problem.rule === rule);
}
