import type { StoredDocument } from '../ports/store.js';

/** Shown in a browser, these run nothing. Everything else is saved to a file, whatever it says it is. */
const inert: ReadonlySet<string> = new Set(['text/plain', 'image/png', 'image/jpeg', 'image/webp']);

/**
 * Headers under which a stranger's bytes can be handed out: nothing in them runs, whatever opens them, and the name that
 * somebody gave the file cannot end a header.
 */
export function documentHeaders(
  { mediaType }: Pick<StoredDocument, 'mediaType'>,
  hash: string,
  fileName: string | null,
): Record<string, string> {
  const type = mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : mediaType;
  return {
    'Content-Type': type,
    'Content-Disposition': `${inert.has(mediaType) ? 'inline' : 'attachment'}; ${nameOf(fileName ?? hash.slice(0, 12))}`,
    'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'Accept-Ranges': 'bytes',
    ETag: `"${hash}"`,
  };
}

/** RFC 6266: a plain form for the oldest, and the name itself. */
function nameOf(name: string): string {
  const plain = name.replace(/[^\w. -]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${whole}`;
}
