import type { DocumentText } from '../verification/document-text.js';

/** A narrow extractor for one known layout: few fields, only values literally printed. Made by `defineTemplate`. */
export interface Template {
  readonly id: string;
  recognises(text: DocumentText): boolean;
  /** Values found in the text, by top-level field name; absent fields were not found. Never empty strings. */
  extract(text: DocumentText): Readonly<Record<string, string>>;
}
