import type { DocumentRow } from './rows.js';

/** Something that is measured while documents go by one after the other, so that none has to be kept. */
export interface Measure {
  add(document: DocumentRow): void;
}

/** Lets all documents go by a measure, and returns it. */
export function measured<Kind extends Measure>(measure: Kind, documents: Iterable<DocumentRow>): Kind {
  for (const document of documents) measure.add(document);
  return measure;
}
