import type { AttemptView } from '../../application/views/attempt-view.js';
import { type RuleState, ruleRows } from '../rule-matrix.js';
import { SignShape } from './marks.js';

const words: Readonly<Record<RuleState, string>> = { holds: 'holds', broken: 'broken', unread: 'not read' };

/** Every broken rule against the attempts. */
export function RuleMatrix({
  attempts,
  ruleCount,
}: {
  readonly attempts: readonly AttemptView[];
  /** Of the spec; null when this process does not know it. */
  readonly ruleCount: number | null;
}) {
  const { rows, others } = ruleRows(attempts);
  const broken = new Set(rows.map(({ rule }) => rule)).size;
  const rest = ruleCount === null ? 0 : Math.max(0, ruleCount - broken);
  return (
    <>
      <table class="folds">
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Field</th>
            <th scope="col">What it says</th>
            {attempts.map(({ attempt }) => (
              <th scope="col" class="num">
                <span class="aloud">Attempt </span>
                {attempt}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ rule, pointer, says, states }) => (
            <tr>
              <th scope="row" class="mono full">
                {rule}
              </th>
              <td class="mono">{pointer === '' ? 'the whole record' : pointer}</td>
              <td class="full">{says}</td>
              {states.map((state) => (
                <td class="num">
                  <SignShape sign={state} label={words[state]} />
                </td>
              ))}
            </tr>
          ))}
          {rest === 0 ? null : (
            <tr class="off">
              <th scope="row" class="full" colspan={3}>
                {rows.length === 0 ? `all ${rest} rules` : `${rest} other rules`}
              </th>
              {others.map((state) => (
                <td class="num">
                  <SignShape sign={state} label={words[state]} />
                </td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
      <p class="key" aria-hidden="true">
        <span>
          <SignShape sign="broken" /> broken
        </span>
        <span>
          <SignShape sign="holds" /> holds
        </span>
        <span>
          <SignShape sign="unread" /> not asked: no whole candidate
        </span>
      </p>
    </>
  );
}
