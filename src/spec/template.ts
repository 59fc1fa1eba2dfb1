import type { DocumentText } from '../verification/document-text.js';

/** A narrow extractor for one known layout: few fields, only values literally printed. Made by `defineTemplate`. */
export interface Template {
  readonly id: string;
  /** Top-level fields of the spec that it may find. */
  readonly fields: readonly string[];
  recognises(text: DocumentText): boolean;
  /** Values found in the text, by field; absent ones were not found. Never empty strings. */
  extract(text: DocumentText): Readonly<Record<string, string>>;
}
