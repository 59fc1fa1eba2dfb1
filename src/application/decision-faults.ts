import type { NewReviewDecision, ReviewKind } from '../ports/review-store.js';
import type { Problem } from '../verification/problem.js';
import { ApplicationError } from './application-error.js';

type Asked = Pick<NewReviewDecision, 'verb' | 'values' | 'overrides'>;

/** What is wrong with a decision whatever its review is about. Throws ApplicationError `invalid_request`. */
export function assertFitting({ verb, values, overrides }: Asked, note: string | null): void {
  const standsForRecord = verb === 'approve' || verb === 'correct';
  if (verb === 'correct' && values === null)
    throw invalid('/values', 'To correct, the corrected values must be given.');
  if (!standsForRecord && values !== null) throw invalid('/values', `To ${verb} takes no values.`);
  if (!standsForRecord && overrides.length > 0) throw invalid('/overrides', `To ${verb} overrides no rules.`);
  if (verb === 'reject' && note === null) throw invalid('/note', 'To reject, a note must say why.');
}

/** What a sampled record cannot be told. Throws ApplicationError `invalid_request`. */
export function assertFitsKind(kind: ReviewKind, { verb, values }: Asked): void {
  if (kind !== 'sample') return;
  if (verb === 'redrive')
    throw invalid('/verb', 'A sampled record is verified; there is nothing to run again.');
  if (verb === 'approve' && values !== null)
    throw invalid('/values', 'To agree with a sampled record takes no values; to change it, correct it.');
}

/**
 * Every unmet rule is overridden by name, no other is, and a note says why. `rules`: all that the spec has.
 * Throws ApplicationError `unmet_rules` or `invalid_request`.
 */
export function assertOverridden(
  unmet: readonly Problem[],
  overrides: readonly string[],
  note: string | null,
  rules: ReadonlySet<string>,
): void {
  const unknown = overrides.find(
    (rule) => !rules.has(rule) && !unmet.some((problem) => problem.rule === rule),
  );
  if (unknown !== undefined) {
    const names = [...new Set(unmet.map(({ rule }) => rule))].join(', ');
    throw invalid('/overrides', `There is no rule "${unknown}"; unmet: ${names === '' ? 'none' : names}.`);
  }
  const named = new Set(overrides);
  const open = unmet.filter(({ rule }) => !named.has(rule));
  if (open.length > 0) {
    const rules = [...new Set(open.map(({ rule }) => rule))].join(', ');
    throw new ApplicationError(
      'unmet_rules',
      `These rules do not hold: ${rules}; correct the values, or override each by name with a note.`,
      open.map(({ rule, pointer, message }) => ({
        pointer: `/values${pointer}`,
        detail: `${rule}: ${message}`,
      })),
    );
  }
  const idle = overrides.find((rule) => !unmet.some((problem) => problem.rule === rule));
  if (idle !== undefined)
    throw invalid('/overrides', `Rule "${idle}" holds for these values, so it needs no override.`);
  if (unmet.length > 0 && note === null) throw invalid('/note', 'An override needs a note that says why.');
}

export function invalid(pointer: string, detail: string): ApplicationError {
  return new ApplicationError('invalid_request', detail, [{ pointer, detail }]);
}
