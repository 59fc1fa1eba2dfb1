/** The text layer of a document, page by page. Null elsewhere means: there is none (a scan). */
export interface DocumentText {
  readonly pages: readonly string[];
}

/** False for a scan: no text layer, or one with nothing in it. */
export function hasText(text: DocumentText | null): text is DocumentText {
  return text?.pages.some((page) => page.trim() !== '') === true;
}
