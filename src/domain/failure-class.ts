/**
 * Why one attempt was not accepted. Seven classes, told apart because each deserves another answer:
 * more room, no further call, a format reminder, or the broken rules.
 */
export const failureClasses = [
  'truncated',
  'refusal',
  'parse',
  'schema',
  'constraint',
  'empty',
  'verifier_fault',
] as const;

export type FailureClass = (typeof failureClasses)[number];
