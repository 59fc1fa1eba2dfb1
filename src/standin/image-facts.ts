export interface ImageFacts {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** What an image is and how large, from its first bytes; null when they are none of a known image. */
export function imageFacts(bytes: Buffer): ImageFacts | null {
  const head = bytes.subarray(0, 12).toString('latin1');
  // A header cut short reads as a size of zero and is nobody's image.
  const at = (offset: number): number => bytes[offset] ?? 0;
  const big = (offset: number): number => at(offset) * 256 + at(offset + 1);
  const little = (offset: number): number => at(offset) + at(offset + 1) * 256;
  if (head.startsWith('\x89PNG\r\n')) {
    return { type: 'image/png', width: big(16) * 65_536 + big(18), height: big(20) * 65_536 + big(22) };
  }
  if (head.startsWith('GIF8')) return { type: 'image/gif', width: little(6), height: little(8) };
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return webpFacts(bytes, at, little);
  return head.startsWith('\xff\xd8\xff') ? jpegFacts(bytes, at, big) : null;
}

type Read = (offset: number) => number;

/** The three kinds of WebP keep their size in three places. */
function webpFacts(bytes: Buffer, at: Read, little: Read): ImageFacts {
  const type = 'image/webp';
  const chunk = bytes.subarray(12, 16).toString('latin1');
  if (chunk === 'VP8X') {
    return { type, width: little(24) + at(26) * 65_536 + 1, height: little(27) + at(29) * 65_536 + 1 };
  }
  if (chunk === 'VP8L') {
    const bits = little(21) + little(23) * 65_536;
    return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { type, width: little(26) & 0x3fff, height: little(28) & 0x3fff };
}

/** Walks the segments of a JPEG to its frame header; any number of fill bytes may stand before a marker. */
function jpegFacts(bytes: Buffer, at: Read, big: Read): ImageFacts | null {
  for (let offset = 2; offset < bytes.length && at(offset) === 0xff; ) {
    const marker = at(offset + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: 'image/jpeg', width: big(offset + 7), height: big(offset + 5) };
    offset += marker === 0xff ? 1 : 2 + big(offset + 2);
  }
  return null;
}
