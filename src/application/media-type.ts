const byExtension: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  text: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
};

/**
 * What a document claims to be: by the extension of its name, or by its bytes when the name says nothing.
 * Whether the bytes agree with the claim is for the run to find out.
 */
export function claimedMediaType(fileName: string, bytes: Uint8Array): string {
  const extension = /\.([A-Za-z0-9]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return byExtension[extension] ?? mediaTypeOf(bytes);
}

/** By the first bytes; else text when they are UTF-8 without NUL. */
function mediaTypeOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (start.startsWith('%PDF-')) return 'application/pdf';
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'image/webp';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return bytes.includes(0) ? 'application/octet-stream' : 'text/plain';
  } catch {
    return 'application/octet-stream';
  }
}
