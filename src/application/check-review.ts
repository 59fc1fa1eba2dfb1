import type { StoredJson } from '../ports/attempt-store.js';
import type { Evidence } from '../verification/evidence.js';
import type { Problem } from '../verification/problem.js';
import type { Contradiction } from '../verification/verdict.js';
import type { Application } from './application.js';
import { checkRecord, withDigits } from './check-record.js';
import { findReview } from './claim-review.js';
import { invalid } from './decision-faults.js';
import { type Arithmetic, arithmeticOf } from './review-arithmetic.js';
import { offeredCandidate, specOf } from './review-sheet.js';

/** What values would come to if a person stood for them now. */
export interface ReviewCheck {
  /** `holds`: nothing to override; `unmet`: these rules would have to be; `misshapen`: not the shape of the spec. */
  readonly kind: 'holds' | 'unmet' | 'misshapen';
  readonly unmet: readonly Problem[];
  /** Ids of the rules that a decision with these values would have to override by name. */
  readonly overrides: readonly string[];
  readonly contradiction: Contradiction | null;
  readonly arithmetic: readonly Arithmetic[];
  readonly evidence: readonly Evidence[];
  readonly ungrounded: readonly string[];
}

/**
 * Runs the rules over values while a person edits them; null checks the machine's candidate. Nothing is stored, and no
 * lease is needed. Throws ApplicationError `not_found`, `unknown_spec`, or `invalid_request` for an amount that was sent
 * as a JSON number, or when there are no values to check.
 */
export async function checkReview(
  app: Pick<Application, 'store' | 'reader' | 'catalogue'>,
  review: string,
  values: StoredJson,
): Promise<ReviewCheck> {
  const task = await findReview(app, review);
  const given = values ?? (await offeredCandidate(app, task));
  if (given === null)
    throw invalid('/values', 'No whole candidate was read, so there are no values to check.');
  const record = withDigits(given, '/values');
  const spec = specOf(app, task);
  const { kind, ...check } = await checkRecord(app, task, spec, record);
  const isShaped = kind === 'checked';
  return {
    kind: isShaped ? (check.unmet.length === 0 ? 'holds' : 'unmet') : 'misshapen',
    overrides: isShaped ? [...new Set(check.unmet.map(({ rule }) => rule))].sort() : [],
    arithmetic: arithmeticOf(spec, record),
    ...check,
  };
}
