/**
 * Texts as numbers to look lines up by. An atom is a run of letters and digits without regard to case; two words that are
 * compared as equal have the same atoms. What is found by a number may be something else, and is read before it counts.
 */

/** Stands for characters that composing may change, or join with the ones beside them. */
const shifting = 0xffff;
const unknown = 0xfffe;
const units = new Uint16Array(0x10000).fill(unknown);

/** Hangul that composes with what stands beside it although it is no mark. */
const jamo = /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/;

function unitOf(code: number): number {
  const known = units[code] as number;
  if (known !== unknown) return known;
  const unit = readUnit(String.fromCharCode(code));
  units[code] = unit;
  return unit;
}

/** The letter or digit in lower case, 0 for what parts words, or `shifting`. */
function readUnit(character: string): number {
  if (/\s/.test(character)) return 0;
  const lower = character.toLowerCase();
  if (/[\p{M}\p{Cs}]/u.test(character) || jamo.test(character)) return shifting;
  if (character.normalize('NFKC') !== character || lower.length !== 1) return shifting;
  if (!/[\p{L}\p{N}]/u.test(character)) return 0;
  // A sigma looks different at the end of a word.
  return (lower === 'ς' ? 'σ' : lower).charCodeAt(0);
}

const seed = 0x811c9dc5;
const step = (hash: number, unit: number) => Math.imul(hash ^ unit, 0x01000193);

/** Tells every atom of a stretch. False when there are characters that shift: then what was told is not all. */
export function tellAtoms(text: string, start: number, end: number, tell: (atom: number) => void): boolean {
  let hash = seed;
  let isWithin = false;
  let isSteady = true;
  for (let at = start; at < end; at += 1) {
    const unit = unitOf(text.charCodeAt(at));
    if (unit !== 0 && unit !== shifting) {
      hash = step(hash, unit);
      isWithin = true;
      continue;
    }
    if (isWithin) tell(hash);
    hash = seed;
    isWithin = false;
    if (unit === shifting) isSteady = false;
  }
  if (isWithin) tell(hash);
  return isSteady;
}

/** The atoms of a word. */
export function atomsOf(word: string): readonly number[] {
  const atoms: number[] = [];
  tellAtoms(word, 0, word.length, (atom) => atoms.push(atom));
  return atoms;
}

const zero = 48;
const nine = 57;
const isDigit = (code: number) => code >= zero && code <= nine;
/** Point, comma and apostrophe stand within numbers. */
const isInside = (code: number) => code === 46 || code === 44 || code === 39;

/** Tells the digits of every number in a text, the zeros around them left out: `1,204.50` is told as `012045` is. */
export function tellDigits(text: string, tell: (digits: number) => void): void {
  for (let at = 0; at < text.length; ) {
    if (!isDigit(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const start = at;
    while (
      isDigit(text.charCodeAt(at)) ||
      (isInside(text.charCodeAt(at)) && isDigit(text.charCodeAt(at + 1)))
    )
      at += 1;
    tell(digitsOf(text, start, at));
  }
}

/** The digits of a number, whatever stands between them. */
export function digitsOf(text: string, start = 0, end = text.length): number {
  let hash = seed;
  let isWithin = false;
  let zeros = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === zero) zeros += 1;
    else if (isDigit(code)) {
      for (; zeros > 0 && isWithin; zeros -= 1) hash = step(hash, zero);
      zeros = 0;
      isWithin = true;
      hash = step(hash, code);
    }
  }
  return hash;
}
