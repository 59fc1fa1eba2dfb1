/** A spec that cannot be used, in one sentence for its author: what is wrong and what to do. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
}
