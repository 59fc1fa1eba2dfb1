import type { ReadDocument, UnreadableFault } from '../../ports/document-reader.js';
import { unpackPages } from '../../ports/page-images.js';
import { reachesItsEnd } from './image-end.js';
import { imageSize } from './image-size.js';
import { kindOf, type MediaKind, sniff } from './media.js';

/** Model APIs refuse images that are wider or higher, */
const maximumSide = 8_000;
/** or, where a request has more than so many of them, than this. */
const fewImages = 20;
const maximumSideOfMany = 2_000;
/** They refuse more images than this in one request, */
const maximumPages = 600;
/** and any image whose base64 text is longer. */
const maximumBase64 = 10 * 1024 * 1024;

/** One picture: a document of one page without a text layer, within what model APIs take. */
export function readImage(kind: Exclude<MediaKind, 'text' | 'pdf'>, bytes: Uint8Array): ReadDocument {
  const fault = imageFault(kind, bytes, maximumSide);
  return fault === null ? { kind: 'readable', pages: 1, text: null } : { kind: 'unreadable', fault };
}

/** Several pictures that are the pages of one document. Each must be what it says and within the limits. */
export function readPages(bytes: Uint8Array): ReadDocument {
  const pages = unpackPages(bytes);
  if (pages === null) return { kind: 'unreadable', fault: 'mislabelled' };
  if (pages.length === 0) return { kind: 'unreadable', fault: 'empty' };
  if (pages.length > maximumPages) return { kind: 'unreadable', fault: 'too_large' };
  const side = pages.length > fewImages ? maximumSideOfMany : maximumSide;
  for (const page of pages) {
    const kind = kindOf(page.mediaType);
    const fault = kind === 'text' || kind === 'pdf' ? 'mislabelled' : imageFault(kind, page.bytes, side);
    if (fault !== null) return { kind: 'unreadable', fault };
  }
  return { kind: 'readable', pages: pages.length, text: null };
}

function imageFault(
  kind: Exclude<MediaKind, 'text' | 'pdf'> | null,
  bytes: Uint8Array,
  side: number,
): UnreadableFault | null {
  if (bytes.length === 0) return 'empty';
  if (kind === null || sniff(bytes) !== kind) return 'mislabelled';
  if (4 * Math.ceil(bytes.length / 3) > maximumBase64) return 'too_large';
  const size = imageSize(kind, bytes);
  if (size === null) return 'corrupt';
  if (Math.max(size.width, size.height) > side) return 'too_large';
  return reachesItsEnd(kind, bytes) ? null : 'corrupt';
}
