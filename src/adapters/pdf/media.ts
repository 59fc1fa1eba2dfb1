/** What a document says it is, as far as this reader knows the kind. */
export type MediaKind = 'text' | 'pdf' | 'png' | 'jpeg' | 'webp';

/** The kind a media type names, or null: `Text/CSV; charset=utf-8` is text. */
export function kindOf(mediaType: string): MediaKind | null {
  const bare = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  if (bare.startsWith('text/')) return 'text';
  switch (bare) {
    case 'application/pdf':
      return 'pdf';
    case 'image/png':
      return 'png';
    case 'image/jpeg':
      return 'jpeg';
    case 'image/webp':
      return 'webp';
    default:
      return null;
  }
}

/** The kind the bytes begin like; null when like none of the binary ones. A PDF may have up to 1 KiB before its mark. */
export function sniff(bytes: Uint8Array): Exclude<MediaKind, 'text'> | null {
  const start = latin1(bytes.subarray(0, 1024 + 5));
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'webp';
  if (start.includes('%PDF-')) return 'pdf';
  return null;
}

/** Bytes as text, one character a byte. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
