/** One stretch of a page's text and the box it is printed in, in points from the page's upper left corner. */
export interface PlacedText {
  /** Offsets into the page's text as `DocumentText` has it, so that evidence finds its place on the paper. */
  readonly start: number;
  readonly end: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How one page lies: its size in points and where its text stands; no pieces for a scan. */
export interface PageLayout {
  readonly width: number;
  readonly height: number;
  readonly pieces: readonly PlacedText[];
}

/** Says where things stand on a page, in the same bounded way in which documents are read. */
export interface PageReader {
  /** Page from 1. Null: there is no such page, the document is no PDF, or it cannot be read. */
  layout(
    document: { readonly mediaType: string; readonly bytes: Uint8Array },
    page: number,
  ): Promise<PageLayout | null>;
}
