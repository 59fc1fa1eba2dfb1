import { pagesMediaType, unpackPages } from '../ports/page-images.js';
import { ApplicationError } from './application-error.js';

const byExtension: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  text: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  zip: 'application/zip',
};

/** Types whose bytes say so themselves, in words for a person. */
const signed: Readonly<Record<string, string>> = {
  'application/pdf': 'a PDF',
  'image/png': 'a PNG image',
  'image/jpeg': 'a JPEG image',
  'image/webp': 'a WebP image',
  'image/gif': 'a GIF image',
  'application/zip': 'a ZIP archive',
  [pagesMediaType]: 'a container of page images',
};

/** The type that says nothing. */
const unknownType = 'application/octet-stream';

/** What a document's name claims it to be; the type that says nothing when the name does not tell. */
export function claimedMediaType(fileName: string): string {
  const extension = /\.([A-Za-z0-9]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return byExtension[extension] ?? unknownType;
}

/**
 * The media type of a document: what its bytes say where they say anything, else what is claimed. The same bytes are the
 * same extraction, so a wrong claim would also answer for a later right one: it is refused instead. An empty document is
 * nothing, whatever it claims. `called` is what the document is called in the refusal.
 *
 * Throws ApplicationError `media_type_mismatch`.
 */
export function mediaTypeOf(claimed: string, bytes: Uint8Array, called = 'The document'): string {
  if (bytes.byteLength === 0) return claimed;
  const said = saidByBytes(bytes);
  const claimsText = claimed.startsWith('text/');
  const isClaim = claimsText || signed[claimed] !== undefined;
  if (said === null) {
    if (signed[claimed] !== undefined) throw mismatch(called, claimed, 'do not begin like one');
    return claimed;
  }
  if (!isClaim || claimed === said || (claimsText && said === 'text/plain')) return isClaim ? claimed : said;
  throw mismatch(called, claimed, said === 'text/plain' ? 'are plain text' : `are those of ${signed[said]}`);
}

function mismatch(called: string, claimed: string, found: string): ApplicationError {
  const claim = signed[claimed] ?? 'text';
  const message = `${called} is said to be ${claim} (${claimed}), but its bytes ${found}: send it under its true type.`;
  return new ApplicationError('media_type_mismatch', message, [
    { pointer: '/document/mediaType', detail: message },
  ]);
}

/** How far from its first byte a PDF may have its mark. */
const pdfMarkWithin = 1_024;

/** Null when the bytes say nothing: no known signature, and no text in UTF-8. */
function saidByBytes(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, pdfMarkWithin + 5)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'image/webp';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif';
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return 'application/zip';
  if (/^\s*%PDF-/.test(start)) return 'application/pdf';
  if (unpackPages(bytes) !== null) return pagesMediaType;
  if (isText(bytes)) return 'text/plain';
  // Some PDFs carry a little before their mark; a text that mentions the mark is a text.
  return start.includes('%PDF-') ? 'application/pdf' : null;
}

/** UTF-8 without NUL. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
