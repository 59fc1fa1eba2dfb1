import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimedMediaType, mediaTypeOf } from '../../src/application/media-type.js';
import { packPages, pagesMediaType } from '../../src/ports/page-images.js';
import { jpeg, png, utf8, webp } from '../adapters/pdf/documents.js';

const unknown = 'application/octet-stream';
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const page = { mediaType: 'image/png', bytes: png(2, 2) };

/** One document of every kind, with the type its bytes show. */
const kinds: readonly (readonly [type: string, bytes: Uint8Array])[] = [
  ['application/pdf', utf8('%PDF-1.7\n')],
  ['application/pdf', latin1('\n%PDF-1.4 plain')],
  ['application/pdf', latin1('junk\xff\xfe before it\n%PDF-1.4')],
  ['image/png', png(2, 2)],
  ['image/jpeg', jpeg(2, 2)],
  ['image/webp', webp.lossy(2, 2)],
  ['image/gif', latin1('GIF89a\x01\x00')],
  ['application/zip', latin1('PK\x03\x04word/document.xml')],
  [pagesMediaType, packPages([page, page])],
  ['text/plain', utf8('A claim of EUR 12.00, printed as %PDF-1.7')],
];

describe('the type of bytes that say what they are', () => {
  it.each(kinds)('is %s, said or not', (type, bytes) => {
    expect(mediaTypeOf(type, bytes)).toBe(type);
    expect(mediaTypeOf(unknown, bytes)).toBe(type);
    expect(mediaTypeOf('application/vnd.maker.own', bytes)).toBe(type);
  });

  it('is refused under the name of any other kind, so that one document has one type', () => {
    for (const [type, bytes] of kinds) {
      for (const claimed of new Set(kinds.map(([other]) => other))) {
        if (claimed === type) continue;
        expect(() => mediaTypeOf(claimed, bytes, 'scan.pdf'), `${type} as ${claimed}`).toThrow(
          /^scan\.pdf is said/,
        );
      }
    }
  });

  it('is the kind of text that is claimed', () => {
    expect(mediaTypeOf('text/csv', utf8('a;b'))).toBe('text/csv');
    expect(mediaTypeOf('application/json', utf8('{}'))).toBe('text/plain');
  });
});

describe('the type of bytes that say nothing', () => {
  it('is the claimed one, unless such a document would say so', () => {
    const bytes = latin1('caf\xe9');
    expect(mediaTypeOf('text/plain', bytes)).toBe('text/plain');
    expect(mediaTypeOf('image/tiff', bytes)).toBe('image/tiff');
    expect(() => mediaTypeOf('application/pdf', bytes)).toThrow('but its bytes do not begin like one');
  });

  it('is the claimed one for an empty document, which is nothing under any name', () => {
    expect(mediaTypeOf('application/pdf', new Uint8Array())).toBe('application/pdf');
  });
});

it('never takes the same bytes under two types that are read differently', () => {
  const claims = [...new Set(kinds.map(([type]) => type)), unknown, 'image/tiff'];
  const read = (type: string) => (type === 'image/tiff' || type.startsWith('text/') ? unknown : type);
  const bytesOf = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.string({ maxLength: 40 }).map(utf8),
    fc
      .tuple(
        fc.constantFrom(...kinds.map(([, bytes]) => bytes)),
        fc.uint8Array({ maxLength: 20 }),
        fc.boolean(),
      )
      .map(([bytes, more, before]) => new Uint8Array(Buffer.concat(before ? [more, bytes] : [bytes, more]))),
  );
  fc.assert(
    fc.property(bytesOf, (bytes) => {
      fc.pre(bytes.length > 0);
      const taken = claims.flatMap((claimed) => {
        try {
          return [mediaTypeOf(claimed, bytes)];
        } catch {
          return [];
        }
      });
      // Text that is no UTF-8 and pictures of unknown kinds are all unreadable, whatever they are called.
      const clean = taken.includes('text/plain') && taken.every((type) => type === 'text/plain');
      expect(clean || new Set(taken.map(read)).size === 1).toBe(true);
    }),
  );
});

it('a name claims what its ending says', () => {
  expect(claimedMediaType('scans/A.PDF')).toBe('application/pdf');
  expect(claimedMediaType('notes')).toBe(unknown);
});
