import type { DocumentText } from '../verification/document-text.js';

/** What a document turned out to be, before any call is made. */
export type ReadDocument =
  | { readonly kind: 'readable'; readonly pages: number | null; readonly text: DocumentText | null }
  | { readonly kind: 'unreadable'; readonly fault: UnreadableFault };

/** `empty`, `too_large` (over 20 MiB), `mislabelled` (bytes are not the media type), `encrypted`, `corrupt`. */
export type UnreadableFault = 'empty' | 'too_large' | 'mislabelled' | 'encrypted' | 'corrupt';

/** Looks into a document's bytes in a bounded way: time and memory limits hold for hostile files too. */
export interface DocumentReader {
  read(document: { readonly mediaType: string; readonly bytes: Uint8Array }): Promise<ReadDocument>;
}
