/** The longest a request may be held open, in seconds: shorter than what proxies commonly allow. */
const longest = 60;

/** Seconds of `Prefer: wait=N` (RFC 7240), at most 60; 0 when there is none. */
export function preferredWait(header: string | undefined): number {
  for (const preference of (header ?? '').split(',')) {
    const match = /^\s*wait\s*=\s*"?(\d+)"?\s*(;|$)/i.exec(preference);
    if (match?.[1] !== undefined) return Math.min(Number(match[1]), longest);
  }
  return 0;
}
