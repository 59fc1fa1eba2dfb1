import type { StoredJson } from '../ports/attempt-store.js';
import type { ReviewTask } from '../ports/review-store.js';
import { judgeValues, type ValuesJudged } from '../spec/judge-values.js';
import type { PlainJson } from '../spec/read-record.js';
import type { Spec } from '../spec/spec.js';
import type { DocumentText } from '../verification/document-text.js';
import { join } from '../verification/pointer.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';

/** Runs the schema and the rules of a spec over values a person stands for. Nothing is stored. */
export async function checkRecord(
  app: Pick<Application, 'store' | 'reader'>,
  task: ReviewTask,
  spec: Spec,
  values: PlainJson,
): Promise<ValuesJudged> {
  return judgeValues(spec, values, await textOf(app, task));
}

/**
 * Values as candidates are stored: every number a text with its digits. A whole number becomes one; any other number
 * has already lost its spelling, and perhaps digits. Throws ApplicationError `invalid_request` at its pointer.
 */
export function withDigits(value: StoredJson, pointer: string): PlainJson {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return String(value);
    const detail = 'A number with decimals must be sent as a text, so that no digit is lost.';
    throw new ApplicationError('invalid_request', detail, [{ pointer, detail }]);
  }
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map((item, index) => withDigits(item, join(pointer, String(index))));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withDigits(inner, join(pointer, key))]),
  );
}

/** `Array.isArray` does not narrow read-only arrays. */
function isList(value: object): value is readonly StoredJson[] {
  return Array.isArray(value);
}

/** The document's text layer; null when there is none, or the document is no longer kept. */
async function textOf(
  app: Pick<Application, 'store' | 'reader'>,
  task: ReviewTask,
): Promise<DocumentText | null> {
  const document = await app.store.documents.load(task.tenant, task.documentHash);
  if (document === null) return null;
  const read = await app.reader.read(document);
  return read.kind === 'readable' ? read.text : null;
}
