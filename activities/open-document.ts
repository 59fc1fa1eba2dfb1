import type { RunRef } from '../src/domain/extraction-input.js';
import type { DocumentText } from '../src/verification/document-text.js';
import type { ActivityDependencies } from './dependencies.js';

/** A document as a run needs it: its bytes for the model, its text for the rules. */
export type OpenDocument =
  | {
      readonly kind: 'readable';
      readonly mediaType: string;
      readonly bytes: Uint8Array;
      readonly pages: number | null;
      readonly text: DocumentText | null;
    }
  /** `missing`: erased meanwhile, or never this tenant's. */
  | { readonly kind: 'unreadable'; readonly fault: string };

/** Loads and looks into the run's document. */
export async function openDocument(
  deps: Pick<ActivityDependencies, 'store' | 'reader'>,
  ref: RunRef,
): Promise<OpenDocument> {
  const document = await deps.store.documents.load(ref.tenant, ref.documentHash);
  if (document === null) return { kind: 'unreadable', fault: 'missing' };
  const read = await deps.reader.read(document);
  if (read.kind === 'unreadable') return read;
  return { ...read, ...document };
}
