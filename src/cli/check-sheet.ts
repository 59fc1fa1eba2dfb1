import type { ReviewCheck } from '../application/check-review.js';
import { diagnosisText, problemLine } from './format.js';
import { arithmeticLines } from './review-sheet.js';
import { facts } from './table.js';

const verdicts: Record<ReviewCheck['kind'], string> = {
  holds: 'every rule holds',
  unmet: 'rules do not hold',
  misshapen: 'the values do not have the shape that the spec asks for',
};

/** What values would come to if a person stood for them. */
export function checkSheet(check: ReviewCheck): string {
  const { contradiction, overrides, ungrounded } = check;
  return facts([
    ['check', verdicts[check.kind]],
    ['unmet', check.unmet.length === 0 ? null : check.unmet.map(problemLine).join('\n')],
    ['diagnosis', contradiction === null ? null : diagnosisText({ kind: 'contradiction', ...contradiction })],
    ['sums', arithmeticLines(check.arithmetic)],
    ['not found', ungrounded.length === 0 ? null : `no text to look in: ${ungrounded.join(', ')}`],
    ['to override', overrides.length === 0 ? null : overrides.join(', ')],
  ]);
}
