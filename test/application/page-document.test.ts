import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../src/application/application-error.js';
import { pagesDocument, pagesName } from '../../src/application/page-document.js';
import { pagesMediaType, unpackPages } from '../../src/ports/page-images.js';
import { jpeg, png, utf8, webp } from '../adapters/pdf/documents.js';

const page = (name: string, mediaType = 'image/png', bytes = png(10, 10)) => ({ name, mediaType, bytes });
const photo = (name: string) => page(name, 'image/jpeg', jpeg(10, 10));

describe('given images', () => {
  it('when there are several, then they are one document in their order, without their names', () => {
    const document = pagesDocument([page('b.png'), photo('a.jpg')]);
    if (document.kind !== 'bytes') throw new Error('A document of bytes was expected.');
    expect(document.mediaType).toBe(pagesMediaType);
    expect(unpackPages(document.bytes)?.map(({ mediaType }) => mediaType)).toEqual([
      'image/png',
      'image/jpeg',
    ]);
    expect(document).toEqual(pagesDocument([page('c.png'), photo('d.jpg')]));
  });

  it('when there is one, then it is the image itself', () => {
    const bytes = webp.lossy(10, 10);
    expect(pagesDocument([page('a.webp', 'image/webp', bytes)])).toEqual({
      kind: 'bytes',
      mediaType: 'image/webp',
      bytes,
    });
  });

  it.each([
    ['application/pdf', utf8('%PDF-1.7')],
    ['text/plain', utf8('a page')],
    ['image/tiff', Uint8Array.of(0x49, 0x49, 0x2a, 0)],
  ])('when one of them is %s, then it is named', (mediaType, bytes) => {
    const pack = () => pagesDocument([page('a.png'), page('b.x', mediaType, bytes)]);
    expect(pack).toThrow(ApplicationError);
    expect(pack).toThrow(`b.x is ${mediaType}; pages are PNG, JPEG or WebP images.`);
  });

  it('when one of them is another image than it is said to be, then it is named', () => {
    expect(() => pagesDocument([page('a.png'), page('b.png', 'image/png', jpeg(10, 10))])).toThrow(
      'b.png is said to be a PNG image (image/png), but its bytes are those of a JPEG image',
    );
  });

  it('when there is none, then that is no document', () => {
    expect(() => pagesDocument([])).toThrow('A document needs at least one page.');
  });
});

it('pages are called after the first of them', () => {
  expect(pagesName(['scans/a.png'])).toBe('scans/a.png');
  expect(pagesName(['scans/a.png', 'b.png'])).toBe('scans/a.png (2 pages)');
});
