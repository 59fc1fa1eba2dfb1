/** How deep lists and objects of a JSON text lie in each other. Reads brackets outside of texts only; checks nothing. */
export function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
    }
  }
  return deepest;
}

/** Where the text that begins at `at` ends; the length when it does not. Long texts are crossed without looking at them. */
function endOfString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
  }
  return text.length;
}

/** Escaped code units in a row, or any other escape. */
const escapes = /((?:\\u[0-9a-fA-F]{4})+)|\\[\s\S]/g;

/** A surrogate that has no other half: what a unicode-aware expression still takes for one. */
const half = /\p{Surrogate}/u;

/**
 * Whether a JSON text that was decoded from UTF-8 holds neither NUL nor half of a surrogate pair. Only escapes can bring
 * those in, so only escapes are looked at.
 */
export function isFreeOfHalves(text: string): boolean {
  if (!text.includes('\\u')) return !text.includes('\0');
  for (const [, run] of text.matchAll(escapes)) {
    if (run === undefined) continue;
    const units = run
      .split('\\u')
      .slice(1)
      .map((hex) => Number.parseInt(hex, 16));
    if (units.includes(0) || half.test(String.fromCharCode(...units))) return false;
  }
  return true;
}
