import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createDocumentReader } from '../../../src/adapters/pdf/reader.js';
import { packPages, pagesMediaType } from '../../../src/ports/page-images.js';
import { jpeg, png, utf8, webp } from './documents.js';

const reader = createDocumentReader();
afterAll(() => reader.close());

const read = (mediaType: string, bytes: Uint8Array) => reader.read({ mediaType, bytes });
const unreadable = (fault: string) => ({ kind: 'unreadable', fault });

describe('a text document', () => {
  it('is one page, or as many as its form feeds make', async () => {
    expect(await read('text/plain', utf8('Total: 12.50\n'))).toEqual({
      kind: 'readable',
      pages: 1,
      text: { pages: ['Total: 12.50\n'] },
    });
    expect(await read('text/plain', utf8('one\f\ntwo\f\n'))).toEqual({
      kind: 'readable',
      pages: 2,
      text: { pages: ['one', '\ntwo'] },
    });
    expect(await read('text/plain', utf8('one\f\fthree'))).toMatchObject({ pages: 3 });
  });

  it.each(['text/plain; charset=utf-8', 'TEXT/CSV', 'text/markdown'])(
    'may be called %s',
    async (mediaType) => {
      expect(await read(mediaType, utf8('Prämie;1.204,375'))).toMatchObject({
        text: { pages: ['Prämie;1.204,375'] },
      });
    },
  );

  it('loses its byte order mark and keeps one inside', async () => {
    expect(await read('text/plain', utf8('\ufeffa\ufeffb'))).toMatchObject({ text: { pages: ['a\ufeffb'] } });
  });

  it.each(['', ' \n\t', '\ufeff', '\f\f'])('with nothing in it (%j) is empty', async (text) => {
    expect(await read('text/plain', utf8(text))).toEqual(unreadable('empty'));
  });

  it.each([
    ['bytes of another encoding', Uint8Array.of(0x50, 0x72, 0xe4, 0x6d)],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x41, 0x00)],
    ['a NUL byte', utf8('a\0b')],
    ['a PDF', utf8('%PDF-1.7\n1 0 obj')],
    ['a picture', png(10, 10)],
  ])('that is really %s is mislabelled', async (_what, bytes) => {
    expect(await read('text/plain', bytes)).toEqual(unreadable('mislabelled'));
  });

  it('may speak of PDFs', async () => {
    expect(await read('text/plain', utf8('A file begins with %PDF-1.7.'))).toMatchObject({
      kind: 'readable',
    });
  });
});

describe('a picture', () => {
  it.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/webp', webp.lossy],
    ['image/webp', webp.lossless],
    ['image/webp', webp.extended],
  ])('(%s) is one page without text', async (mediaType, make) => {
    expect(await read(mediaType, make(1240, 1754))).toEqual({ kind: 'readable', pages: 1, text: null });
    expect(await read(mediaType, make(8000, 1))).toMatchObject({ kind: 'readable' });
    expect(await read(mediaType, make(8001, 10))).toEqual(unreadable('too_large'));
    expect(await read(mediaType, make(10, 8001))).toEqual(unreadable('too_large'));
    expect(await read(mediaType, make(1240, 1754).subarray(0, 15))).toEqual(unreadable('corrupt'));
  });

  it.each([
    ['image/png', jpeg(10, 10)],
    ['image/jpeg', png(10, 10)],
    ['image/webp', png(10, 10)],
    ['application/pdf', png(10, 10)],
    ['image/png', utf8('not a picture at all')],
    ['image/tiff', png(10, 10)],
    ['application/msword', utf8('not of a kind that is read')],
    ['', utf8('of no kind')],
  ])('or other file that is not %s is mislabelled', async (mediaType, bytes) => {
    expect(await read(mediaType, bytes)).toEqual(unreadable('mislabelled'));
  });

  it.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/webp', webp.lossy],
  ])(
    '(%s) that was cut off anywhere is never read, and one with more behind its end is',
    async (mediaType, make) => {
      const whole = make(1240, 1754);
      for (let length = 12; length < whole.length - 4; length += 1) {
        expect(await read(mediaType, whole.subarray(0, length))).toEqual(unreadable('corrupt'));
      }
      expect(await read(mediaType, Buffer.concat([whole, utf8('a film')]))).toMatchObject({
        kind: 'readable',
      });
    },
  );

  it('whose base64 text would be over 10 MiB is too large', async () => {
    const sized = (length: number) => Buffer.concat([png(10, 10), new Uint8Array(length - 45)]);
    const most = (10 * 1024 * 1024 * 3) / 4;
    expect(await read('image/png', sized(most))).toMatchObject({ kind: 'readable' });
    expect(await read('image/png', sized(most + 1))).toEqual(unreadable('too_large'));
  });

  it('without pixels is corrupt', async () => {
    expect(await read('image/png', png(0, 10))).toEqual(unreadable('corrupt'));
  });
});

describe('several pictures as the pages of one document', () => {
  const page = (bytes: Uint8Array, mediaType = 'image/png') => ({ mediaType, bytes });
  const readPages = (...pages: readonly ReturnType<typeof page>[]) => read(pagesMediaType, packPages(pages));

  it('are counted and have no text', async () => {
    expect(
      await readPages(
        page(png(1240, 1754)),
        page(jpeg(8000, 10), 'image/jpeg'),
        page(webp.lossy(9, 9), 'image/webp'),
      ),
    ).toEqual({ kind: 'readable', pages: 3, text: null });
  });

  it.each([
    ['mislabelled', page(jpeg(10, 10))],
    ['mislabelled', page(utf8('text'), 'text/plain')],
    ['mislabelled', page(utf8('%PDF-1.7'), 'application/pdf')],
    ['mislabelled', page(png(10, 10), 'image/tiff')],
    ['mislabelled', page(packPages([page(png(10, 10))]), pagesMediaType)],
    ['corrupt', page(png(10, 10).subarray(0, 40))],
    ['too_large', page(png(8001, 10))],
    ['empty', page(new Uint8Array())],
  ] as const)('are %s when one of them is', async (fault, bad) => {
    expect(await readPages(page(png(10, 10)), bad, page(png(10, 10)))).toEqual(unreadable(fault));
  });

  it('have less room each when there are more than twenty, and six hundred are the most', async () => {
    const many = (count: number, side: number) =>
      readPages(...Array.from({ length: count }, () => page(png(side, 10))));
    expect(await many(20, 8000)).toMatchObject({ pages: 20 });
    expect(await many(21, 2000)).toMatchObject({ pages: 21 });
    expect(await many(21, 2001)).toEqual(unreadable('too_large'));
    expect(await many(600, 10)).toMatchObject({ pages: 600 });
    expect(await many(601, 10)).toEqual(unreadable('too_large'));
    expect(await readPages()).toEqual(unreadable('empty'));
  });

  it('are mislabelled when the container was damaged', async () => {
    const bytes = packPages([page(png(10, 10)), page(png(20, 20))]);
    for (const damaged of [bytes.subarray(1), bytes.subarray(0, -1), Buffer.concat([bytes, utf8('x')])]) {
      expect(await read(pagesMediaType, damaged)).toEqual(unreadable('mislabelled'));
    }
  });
});

describe('any document', () => {
  const limit = 20 * 1024 * 1024;

  it.each(['text/plain', 'application/pdf', 'image/png', 'font/woff'])(
    'of no bytes (%s) is empty',
    async (mediaType) => {
      expect(await read(mediaType, new Uint8Array())).toEqual(unreadable('empty'));
    },
  );

  it('may have 20 MiB and no byte more', async () => {
    expect(await read('text/plain', new Uint8Array(limit).fill(0x61))).toMatchObject({ kind: 'readable' });
    expect(await read('text/plain', new Uint8Array(limit + 1).fill(0x61))).toEqual(unreadable('too_large'));
  });

  it('gets an answer, whatever its bytes', async () => {
    const marks = fc.constantFrom(
      '',
      '\x89PNG\r\n\x1a\n',
      '\xff\xd8\xff',
      'RIFF0000WEBPVP8X',
      'RIFF0000WEBPVP8L',
      '\ufeff',
    );
    const bytes = fc
      .tuple(marks, fc.uint8Array({ maxLength: 64 }))
      .map(([mark, rest]) => new Uint8Array([...Buffer.from(mark, 'latin1'), ...rest]));
    const types = fc.constantFrom('text/plain', 'image/png', 'image/jpeg', 'image/webp');
    await fc.assert(
      fc.asyncProperty(types, bytes, async (mediaType, made) => {
        const document = await read(mediaType, made);
        if (document.kind === 'unreadable')
          expect(['empty', 'mislabelled', 'corrupt', 'too_large']).toContain(document.fault);
        else expect(document.pages).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});
