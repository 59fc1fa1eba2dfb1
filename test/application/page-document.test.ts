import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../src/application/application-error.js';
import { pagesDocument, pagesName } from '../../src/application/page-document.js';
import { pagesMediaType, unpackPages } from '../../src/ports/page-images.js';

const page = (name: string, mediaType = 'image/png') => ({ name, mediaType, bytes: Uint8Array.of(1, 2, 3) });

describe('given images', () => {
  it('when there are several, then they are one document in their order, without their names', () => {
    const document = pagesDocument([page('b.png'), page('a.jpg', 'image/jpeg')]);
    if (document.kind !== 'bytes') throw new Error('A document of bytes was expected.');
    expect(document.mediaType).toBe(pagesMediaType);
    expect(unpackPages(document.bytes)?.map(({ mediaType }) => mediaType)).toEqual([
      'image/png',
      'image/jpeg',
    ]);
    expect(document).toEqual(pagesDocument([page('c.png'), page('d.jpg', 'image/jpeg')]));
  });

  it('when there is one, then it is the image itself', () => {
    expect(pagesDocument([page('a.webp', 'image/webp')])).toEqual({
      kind: 'bytes',
      mediaType: 'image/webp',
      bytes: Uint8Array.of(1, 2, 3),
    });
  });

  it.each(['application/pdf', 'text/plain', pagesMediaType, 'image/tiff'])(
    'when one of them is %s, then it is named',
    (mediaType) => {
      const pack = () => pagesDocument([page('a.png'), page('b.x', mediaType)]);
      expect(pack).toThrow(ApplicationError);
      expect(pack).toThrow(`b.x is ${mediaType}; pages are PNG, JPEG or WebP images.`);
    },
  );

  it('when there is none, then that is no document', () => {
    expect(() => pagesDocument([])).toThrow('A document needs at least one page.');
  });
});

it('pages are called after the first of them', () => {
  expect(pagesName(['scans/a.png'])).toBe('scans/a.png');
  expect(pagesName(['scans/a.png', 'b.png'])).toBe('scans/a.png (2 pages)');
});
