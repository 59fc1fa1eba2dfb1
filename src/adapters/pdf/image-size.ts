import { latin1, type MediaKind } from './media.js';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Pixels of an image by its header, which is all that is read; null when the header is broken or says nothing. */
export function imageSize(kind: Exclude<MediaKind, 'text' | 'pdf'>, bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = readers[kind](view);
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

const readers = { png, jpeg, webp };

function png(view: DataView): ImageSize | null {
  if (view.byteLength < 33 || fourCharacters(view, 12) !== 'IHDR') return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** Walks the segments to the frame header, which every JPEG has before its first scan. */
function jpeg(view: DataView): ImageSize | null {
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === 0xda || marker === 0xd9) return null;
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

function webp(view: DataView): ImageSize | null {
  if (view.byteLength < 30) return null;
  switch (fourCharacters(view, 12)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: threeBytes(view, 24) + 1, height: threeBytes(view, 27) + 1 };
    default:
      return null;
  }
}

function threeBytes(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
}

function fourCharacters(view: DataView, at: number): string {
  return latin1(new Uint8Array(view.buffer, view.byteOffset + at, 4));
}
