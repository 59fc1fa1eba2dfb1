/** The text layer of a document, page by page. Null elsewhere means: there is none (a scan). */
export interface DocumentText {
  readonly pages: readonly string[];
}
