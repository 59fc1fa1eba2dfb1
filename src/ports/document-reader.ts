import type { DocumentText } from '../verification/document-text.js';

/** What a document turned out to be, before any call is made. */
export type ReadDocument =
  | { readonly kind: 'readable'; readonly pages: number | null; readonly text: DocumentText | null }
  | { readonly kind: 'unreadable'; readonly fault: UnreadableFault };

/** `empty`, `too_large` (over 20 MiB), `mislabelled` (bytes are not the media type), `encrypted`, `corrupt`. */
export type UnreadableFault = 'empty' | 'too_large' | 'mislabelled' | 'encrypted' | 'corrupt';

/** 20 MiB. A larger document is not kept, only a marker for it; it ends as `unreadable_document` without a call. */
export const maximumDocumentBytes = 20 * 1024 * 1024;

/**
 * Media type of the marker that stands for a document over the limit: JSON with the document's `sha256` and `size`.
 * Readers answer it with the fault `too_large`.
 */
export const tooLargeMediaType = 'application/vnd.endstop.too-large+json';

/** Looks into a document's bytes in a bounded way: time and memory limits hold for hostile files too. */
export interface DocumentReader {
  read(document: { readonly mediaType: string; readonly bytes: Uint8Array }): Promise<ReadDocument>;
}
