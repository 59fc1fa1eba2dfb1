import type { StoredJson } from '../ports/attempt-store.js';
import { problemsOf } from '../spec/read-record.js';
import type { Spec } from '../spec/spec.js';
import { ApplicationError } from './application-error.js';
import type { IncomingDocument } from './intake.js';

/** One document whose right answer is known. */
export interface TruthCase {
  /** What people call it: a file name. */
  readonly name: string;
  readonly specId: string;
  /** The record that is right; null when nobody has written one down, as for a document that cannot be read. */
  readonly record: StoredJson;
  /** Null when only the record is there, without the document it was read from. */
  readonly document: (() => Promise<IncomingDocument>) | null;
}

/**
 * Checks that every truth record has the shape of the spec: against a record of another shape nothing can be compared.
 * Throws ApplicationError `invalid_request` for the first that has not.
 */
export function assertTruths(spec: Spec, cases: readonly TruthCase[]): void {
  for (const { name, record } of cases) {
    const [problem] = record === null ? [] : problemsOf(spec, record);
    if (problem === undefined) continue;
    throw new ApplicationError(
      'invalid_request',
      `The truth record ${name} is no record of spec "${spec.id}" (schema ${spec.schemaVersion}): ` +
        `${problem.pointer === '' ? '' : `at ${problem.pointer}: `}${problem.message}`,
    );
  }
}
