import { quoted } from './schema-problem.js';

/** Lists in lists, objects in objects: a document or a record has a dozen. */
const deepest = 64;

/** What nobody can use in a JSON text however it is parsed, as the end of a sentence that begins with what holds it; null: nothing. */
export function unusableIn(text: string): string | null {
  const { nesting, repeated } = shapeOf(text);
  if (nesting > deepest) return `nests lists and objects deeper than ${deepest}.`;
  if (!isFreeOfHalves(text)) return 'holds NUL, or half of a character.';
  return repeated === null ? null : `gives ${quoted(repeated)} twice in one object; give it once.`;
}

/** What can be told of a JSON text before it is parsed, brackets and names read outside of texts only; checks nothing. */
export interface JsonShape {
  /** How deep lists and objects lie in each other. */
  readonly nesting: number;
  /** The first name that one object gives twice: whoever reads such an object takes another one of its values. */
  readonly repeated: string | null;
}

export function shapeOf(text: string): JsonShape {
  let depth = 0;
  let nesting = 0;
  let repeated: string | null = null;
  /** Of the objects that are open, by depth. */
  const names: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = endOfString(text, at);
      if (repeated === null && isName(text, end)) {
        const name = decoded(text.slice(at, end + 1));
        const known = names[depth] ?? new Set();
        names[depth] = known;
        if (known.has(name)) repeated = name;
        known.add(name);
      }
      at = end;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      names[depth] = undefined;
      if (depth > nesting) nesting = depth;
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
    }
  }
  return { nesting, repeated };
}

/** Nothing but a name has a colon behind it. */
function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === 0x3a;
}

/** As written where it is no JSON; that is refused by whoever parses it. */
function decoded(token: string): string {
  try {
    return token.includes('\\') ? JSON.parse(token) : token.slice(1, -1);
  } catch {
    return token;
  }
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
