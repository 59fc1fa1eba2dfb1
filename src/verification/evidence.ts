/** Where a value stands in the document's text layer: page from 1, character offsets within that page's text. */
export interface Evidence {
  readonly pointer: string;
  readonly page: number;
  readonly start: number;
  readonly end: number;
  /** The text as printed. */
  readonly printed: string;
}
