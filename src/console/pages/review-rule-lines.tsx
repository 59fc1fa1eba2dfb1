import { type Sign, SignShape } from '../parts/marks.js';
import type { RuleState, rulesAt } from './review-rules.js';

const signs: Readonly<Record<RuleState, readonly [Sign, string]>> = {
  broken: ['broken', 'broken:'],
  holds: ['holds', 'holds:'],
  unasked: ['unread', 'not checked:'],
};

/** Rules about a place, each with its mark and what it says. */
export function RuleLines({ rules }: { readonly rules: ReturnType<typeof rulesAt> }) {
  return (
    <>
      {rules.map(({ rule, says, state }) => (
        <p data-rule={rule}>
          <SignShape sign={signs[state][0]} label={signs[state][1]} /> <code>{rule}</code>{' '}
          <bdi data-message>{says}</bdi>
        </p>
      ))}
    </>
  );
}
