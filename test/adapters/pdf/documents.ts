import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';

type Draw = (pdf: PDFKit.PDFDocument) => void;

/** A PDF as pdfkit writes it. */
export function pdf(draw: Draw, options: PDFKit.PDFDocumentOptions = {}): Promise<Uint8Array> {
  const document = new PDFDocument({ size: 'A4', margin: 50, ...options });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise<Uint8Array>((resolve) =>
    document.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks)))),
  );
  draw(document);
  document.end();
  return done;
}

/** A hand-made PDF of numbered objects; object 1 must be the catalogue. */
export function rawPdf(objects: readonly (string | Buffer)[]): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  objects.forEach((object, index) => {
    offsets.push(length);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]));
  });
  const xref = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const tail = `xref\n0 ${size}\n0000000000 65535 f \n${xref}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF`;
  add(Buffer.from(tail));
  return new Uint8Array(Buffer.concat(parts));
}

function stream(dictionary: string, bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<<${dictionary}/Length ${bytes.length}>>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

const onePage = (content: Buffer, resources = '/Font<</F 5 0 R>>', more: readonly Buffer[] = []) =>
  rawPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<<${resources}>>/Contents 4 0 R>>`,
    content,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...more,
  ]);

/** A page whose few compressed megabytes unpack to `gigabytes` of white space. */
export function memoryBomb(gigabytes: number): Uint8Array {
  const block = deflateRawSync(Buffer.alloc(64 * 1024 * 1024, 0x20), {
    finishFlush: constants.Z_FULL_FLUSH,
    level: 9,
  });
  const blocks = Array.from({ length: gigabytes * 16 }, () => block);
  const packed = Buffer.concat([Buffer.from([0x78, 0x9c]), ...blocks, Buffer.from([0x03, 0x00, 0, 0, 0, 0])]);
  return onePage(stream('/Filter/FlateDecode', packed));
}

/** Forms that each draw the next one ten times: ten to the power of `depth` pieces of work in a few kilobytes. */
export function timeBomb(depth: number): Uint8Array {
  const first = 6;
  const forms = Array.from({ length: depth }, (_, index) => {
    const next = first + index + 1;
    const resources = index === depth - 1 ? '/Font<</F 5 0 R>>' : `/XObject<</X ${next} 0 R>>`;
    const body = index === depth - 1 ? 'BT /F 9 Tf (x) Tj ET' : '/X Do '.repeat(10);
    const dictionary = `/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<<${resources}>>`;
    return stream(dictionary, Buffer.from(body));
  });
  return onePage(stream('', Buffer.from('/X Do')), `/XObject<</X ${first} 0 R>>`, forms);
}

/** A page of `characters` letters, well compressed. */
export function textBomb(characters: number): Uint8Array {
  const line = `BT /F 9 Tf 10 10 Td (${'A'.repeat(100)}) Tj ET\n`;
  return onePage(stream('/Filter/FlateDecode', deflateSync(Buffer.from(line.repeat(characters / 100)))));
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The header and the end of a PNG, without its data. */
export function png(width: number, height: number): Uint8Array {
  const bytes = Buffer.alloc(45);
  bytes.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.write('IEND', 37, 'latin1');
  return new Uint8Array(bytes);
}

/**
 * A JPEG almost without its data: an application segment that holds an end mark as thumbnails do, a Huffman table, a
 * fill byte, the frame header, a scan and the end.
 */
export function jpeg(width: number, height: number): Uint8Array {
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  const bytes = [
    [0xff, 0xd8, 0xff, 0xe0, 0x00, 0x08, 0x4a, 0x46, 0x49, 0x46, 0xff, 0xd9],
    [0xff, 0xc4, 0x00, 0x05, 0xc0, 0xc1, 0xc2],
    [0xff, 0xff, 0xc2, 0x00, 0x11, 0x08, ...size, 0x03, 0x01, 0x11, 0x00],
    [0xff, 0xda, 0x00, 0x02, 0x11, 0xff, 0x00, 0x22, 0xff, 0xd9],
  ];
  return Uint8Array.from(bytes.flat());
}

function riff(chunk: string, write: (bytes: Buffer) => void): Uint8Array {
  const bytes = Buffer.alloc(64);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(56, 4);
  bytes.write('WEBP', 8, 'latin1');
  bytes.write(chunk, 12, 'latin1');
  write(bytes);
  return new Uint8Array(bytes);
}

/** The three kinds of WebP, as far as their sizes. */
export const webp = {
  lossy: (width: number, height: number) =>
    riff('VP8 ', (bytes) => {
      bytes.writeUInt16LE(width, 26);
      bytes.writeUInt16LE(height, 28);
    }),
  lossless: (width: number, height: number) =>
    riff('VP8L', (bytes) => {
      bytes.writeUInt8(0x2f, 20);
      bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
    }),
  extended: (width: number, height: number) =>
    riff('VP8X', (bytes) => {
      bytes.writeUIntLE(width - 1, 24, 3);
      bytes.writeUIntLE(height - 1, 27, 3);
    }),
};
