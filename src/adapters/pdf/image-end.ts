import { latin1, type MediaKind } from './media.js';

/**
 * True when an image goes on to its own end, as far as its format says where that is. Decoders show what is left of one
 * that was cut off; half a page must not look like a whole. More bytes after the end are fine: some cameras add them.
 */
export function reachesItsEnd(kind: Exclude<MediaKind, 'text' | 'pdf'>, bytes: Uint8Array): boolean {
  return ends[kind](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), bytes);
}

const ends = { png, jpeg, webp };

/** From chunk to chunk: each has its length before it and four bytes of checksum behind it. */
function png(view: DataView, bytes: Uint8Array): boolean {
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    if (latin1(bytes.subarray(at + 4, at + 8)) === 'IEND') return true;
  }
  return false;
}

/**
 * From segment to segment to the first scan. In the data behind it every 0xff is followed by a zero or by a marker, so
 * that the end mark can only be the real one; one in a thumbnail before it is skipped with its segment.
 */
function jpeg(view: DataView, bytes: Uint8Array): boolean {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda) {
    at += bytes[at + 1] === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return latin1(bytes.subarray(at + 2)).includes('\xff\xd9');
}

/** The container says how long it is, its first eight bytes not counted. */
function webp(view: DataView, bytes: Uint8Array): boolean {
  return view.getUint32(4, true) + 8 <= bytes.length;
}
