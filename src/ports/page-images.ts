/** Media type of the container in which several page images are one document. Never sent to a model as such. */
export const pagesMediaType = 'application/vnd.endstop.pages';

/** One page of a scan: a PNG, JPEG or WebP image. */
export interface PageImage {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** First line of every container, so that other bytes are never taken for one. */
const mark = 'endstop-pages 1\n';
/** Longest list of pages that is read: far beyond what any model takes, short enough to stay cheap. */
const longestIndex = 256 * 1024;

/**
 * Pages in their order as one sequence of bytes: a mark, a line of JSON with each page's media type and size, then the
 * images as they are. The same pages in the same order give the same bytes, and so the same document.
 */
export function packPages(pages: readonly PageImage[]): Uint8Array {
  const index = JSON.stringify(pages.map(({ mediaType, bytes }) => ({ mediaType, size: bytes.byteLength })));
  return new Uint8Array(
    Buffer.concat([Buffer.from(`${mark}${index}\n`), ...pages.map(({ bytes }) => bytes)]),
  );
}

/** The pages of a container, which share its memory; null when the bytes are no whole container. */
export function unpackPages(bytes: Uint8Array): readonly PageImage[] | null {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!all.subarray(0, mark.length).equals(Buffer.from(mark))) return null;
  const end = all.indexOf('\n', mark.length);
  if (end < 0 || end > longestIndex) return null;
  const index = readIndex(all.toString('utf8', mark.length, end));
  if (index === null) return null;
  const pages: PageImage[] = [];
  let at = end + 1;
  for (const { mediaType, size } of index) {
    pages.push({ mediaType, bytes: bytes.subarray(at, at + size) });
    at += size;
  }
  return at === bytes.byteLength ? pages : null;
}

function readIndex(text: string): readonly { readonly mediaType: string; readonly size: number }[] | null {
  let index: unknown;
  try {
    index = JSON.parse(text);
  } catch {
    return null;
  }
  return Array.isArray(index) && index.every(isEntry) ? index : null;
}

function isEntry(value: unknown): value is { readonly mediaType: string; readonly size: number } {
  if (value === null || typeof value !== 'object') return false;
  const { mediaType, size } = value as { readonly mediaType?: unknown; readonly size?: unknown };
  return typeof mediaType === 'string' && Number.isSafeInteger(size) && Number(size) >= 0;
}
