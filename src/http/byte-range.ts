/** Which bytes of something a request is after; both ends are among them. */
export type ByteRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  | { readonly kind: 'unsatisfiable' };

/**
 * Reads `Range` for something of `length` bytes that the strong `tag` names (RFC 9110, section 14). One range is answered;
 * what cannot be read, several at once, and a range of an earlier version (`If-Range`) all mean the whole.
 */
export function byteRange(
  header: string | undefined,
  ifRange: string | undefined,
  { tag, length }: { readonly tag: string; readonly length: number },
): ByteRange {
  if (ifRange !== undefined && ifRange.trim() !== tag) return { kind: 'whole' };
  const [, from = '', to = ''] = /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (from === '') {
    if (to === '') return { kind: 'whole' };
    // The last so many bytes.
    return part(length - Math.min(Number(to), length), length - 1, length);
  }
  if (to !== '' && BigInt(to) < BigInt(from)) return { kind: 'whole' };
  return part(Number(from), to === '' ? length - 1 : Math.min(Number(to), length - 1), length);
}

function part(first: number, last: number, length: number): ByteRange {
  return first < length ? { kind: 'part', first, last } : { kind: 'unsatisfiable' };
}
