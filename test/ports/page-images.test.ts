import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packPages, unpackPages } from '../../src/ports/page-images.js';

const pages = fc.array(
  fc.record({
    mediaType: fc.constantFrom('image/png', 'image/jpeg', 'image/webp'),
    bytes: fc.uint8Array({ maxLength: 40 }),
  }),
  { maxLength: 5 },
);
const line = (text: string) => new TextEncoder().encode(text);

describe('given pages', () => {
  it('when they are packed, then the same pages in the same order come out', () => {
    fc.assert(
      fc.property(pages, (given) => {
        expect(unpackPages(packPages(given))).toEqual(given);
      }),
    );
  });

  it('when their order, a type or a byte differs, then the container does', () => {
    fc.assert(
      fc.property(pages, pages, (left, right) => {
        const same = JSON.stringify(left) === JSON.stringify(right);
        expect(Buffer.from(packPages(left)).equals(Buffer.from(packPages(right)))).toBe(same);
      }),
    );
  });

  it('when the container stands within other bytes, then only its own are read', () => {
    const packed = packPages([{ mediaType: 'image/png', bytes: Uint8Array.of(1, 2) }]);
    const around = Buffer.concat([line('before'), packed, line('after')]);
    const read = unpackPages(around.subarray(6, 6 + packed.length));
    expect(read?.map(({ bytes }) => [...bytes])).toEqual([[1, 2]]);
  });
});

describe('given bytes that are no whole container', () => {
  it('when one was cut off or has more behind it, then there are no pages', () => {
    fc.assert(
      fc.property(pages, fc.nat(), (given, at) => {
        const packed = packPages(given);
        expect(unpackPages(packed.subarray(0, at % packed.length))).toBeNull();
        expect(unpackPages(Buffer.concat([packed, Uint8Array.of(0)]))).toBeNull();
      }),
    );
  });

  it.each([
    'endstop-pages 1\n',
    'endstop-pages 1\n{}\n',
    'endstop-pages 1\nno json\n',
    'endstop-pages 1\n[null]\n',
    'endstop-pages 1\n[{"mediaType":"image/png"}]\n',
    'endstop-pages 1\n[{"mediaType":1,"size":0}]\n',
    'endstop-pages 1\n[{"mediaType":"image/png","size":-1}]\nx',
    'endstop-pages 1\n[{"mediaType":"image/png","size":0.5}]\n',
    'endstop-pages 1\n[{"mediaType":"image/png","size":9e99}]\n',
    'endstop-pages 2\n[]\n',
    `endstop-pages 1\n[${' '.repeat(300_000)}]\n`,
    '%PDF-1.7',
    '',
  ])('when they are %j, then there are no pages', (text) => {
    expect(unpackPages(line(text))).toBeNull();
  });

  it('when they are any bytes, then they are answered', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(unpackPages(Buffer.concat([line('endstop-pages 1\n'), bytes]))?.length ?? null).not.toBe(-1);
      }),
    );
  });
});
