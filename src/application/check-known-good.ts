import type { DocumentReader } from '../ports/document-reader.js';
import { checkSpec, type KnownGood, type SpecCheck } from '../spec/check-spec.js';
import type { Spec } from '../spec/spec.js';
import type { DocumentText } from '../verification/document-text.js';
import { storable } from './intake.js';
import type { TruthCase } from './truth-case.js';

/**
 * Runs a spec over its own examples in every class of currencies and over the truth records that are meant for it, each
 * with the text of its document. Nothing is stored and no model is asked.
 */
export async function checkKnownGood(
  reader: DocumentReader,
  spec: Spec,
  cases: readonly TruthCase[],
): Promise<SpecCheck> {
  const truths: KnownGood[] = [];
  for (const truth of cases) {
    if (truth.specId !== spec.id || truth.record === null) continue;
    truths.push({ name: truth.name, record: truth.record, text: await textOf(reader, truth) });
  }
  return checkSpec(spec, truths);
}

/** Null for a scan, for a document that cannot be read, and when there is only a record: its print is made up then. */
async function textOf(reader: DocumentReader, { document }: TruthCase): Promise<DocumentText | null> {
  if (document === null) return null;
  const read = await reader.read(storable(await document()));
  return read.kind === 'readable' ? read.text : null;
}
