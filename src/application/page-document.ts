import { type PageImage, packPages, pagesMediaType } from '../ports/page-images.js';
import { ApplicationError } from './application-error.js';
import type { IncomingDocument } from './intake.js';
import { mediaTypeOf } from './media-type.js';

/** One page of a scan as it comes in, with a name for people. */
export type IncomingPage = PageImage & { readonly name: string };

const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

/**
 * Several images as one document, in this order. A single page is the image itself, so that it is the same document
 * whichever way it comes in.
 * Throws ApplicationError: `invalid_request` when there is no page, or naming the first that is no image;
 * `media_type_mismatch` for one that is not what it is said to be.
 */
export function pagesDocument(incoming: readonly IncomingPage[]): IncomingDocument {
  const pages = incoming.map((page) => ({
    ...page,
    mediaType: mediaTypeOf(page.mediaType, page.bytes, page.name),
  }));
  const [first, ...others] = pages;
  if (first === undefined) throw invalid('A document needs at least one page.');
  const other = pages.find(({ mediaType }) => !imageTypes.includes(mediaType));
  if (other !== undefined) {
    throw invalid(`${other.name} is ${other.mediaType}; pages are PNG, JPEG or WebP images.`);
  }
  if (others.length === 0) return { kind: 'bytes', mediaType: first.mediaType, bytes: first.bytes };
  return { kind: 'bytes', mediaType: pagesMediaType, bytes: packPages(pages) };
}

/** What people call a document of several files: after the first, with how many there are. */
export function pagesName(names: readonly string[]): string {
  const [first = ''] = names;
  return names.length === 1 ? first : `${first} (${names.length} pages)`;
}

function invalid(message: string): ApplicationError {
  return new ApplicationError('invalid_request', message, [{ pointer: '/page', detail: message }]);
}
