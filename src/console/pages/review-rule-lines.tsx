import { SignShape } from '../parts/marks.js';
import type { rulesAt } from './review-rules.js';

/** Rules about a place, each with its mark and what it says. */
export function RuleLines({ rules }: { readonly rules: ReturnType<typeof rulesAt> }) {
  return (
    <>
      {rules.map(({ rule, says, isBroken }) => (
        <p data-rule={rule}>
          <SignShape sign={isBroken ? 'broken' : 'holds'} label={isBroken ? 'broken:' : 'holds:'} />{' '}
          <code>{rule}</code> <bdi data-message>{says}</bdi>
        </p>
      ))}
    </>
  );
}
