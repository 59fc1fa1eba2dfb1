import { isCurrencyMark } from './currency-marks.js';
import { type DecimalMark, type NumberShape, shapeOf } from './number-shape.js';

/** A number as printed. Offsets into the page, sign and brackets included, currency and percent sign left out. */
export interface PrintedNumber {
  readonly start: number;
  readonly end: number;
  readonly shape: NumberShape;
  /** `either`: a whole number in brackets may be negative or an aside, and credit or debit (CR, DR) have no one sign. */
  readonly sign: 'plus' | 'minus' | 'either';
  readonly percent: boolean;
  /** True when a unit is glued to the digits: `10pcs`. Quantities have one, money and codes do not. */
  readonly hasUnit: boolean;
}

const core = /\d+(?:[.,']\d+)*/g;
/** Thousands set apart by blanks; plain ones need a cell of their own (`standsAlone`). */
const spaced = /\d{1,3}(?:[ \u00a0]\d{3})+(?:[.,]\d+)?(?![\d.,']*\d)/g;

/** Every number on a folded page without its dates, in order. Digits glued to words, codes and times are no numbers. */
export function numbersOf(page: string): readonly PrintedNumber[] {
  const found: PrintedNumber[] = [];
  let end = 0;
  for (const { start, text } of candidates(page)) {
    if (start < end) continue;
    const number = numberAt(page, start, text);
    if (number === null) continue;
    found.push(number);
    end = number.end;
  }
  return found;
}

/** Digit groups in order; where blanks may or may not join them, the joined one comes first and so wins. */
export function candidates(page: string): readonly { readonly start: number; readonly text: string }[] {
  const joined = [...page.matchAll(spaced)].filter(
    ({ 0: text, index }) => !text.includes(' ') || standsAlone(page, index, text.length),
  );
  return [...joined, ...page.matchAll(core)]
    .map((match) => ({ start: match.index, text: match[0] }))
    .sort((a, b) => a.start - b.start || b.text.length - a.text.length);
}

/** True when nothing but a currency, a sign or a label with a colon shares the cell with these digits. */
function standsAlone(page: string, start: number, length: number): boolean {
  const before = page.slice(Math.max(0, start - 40), start).replace(/^.*(?:[\n\t|]| {2}|:\s)/s, '');
  const behind = page.slice(start + length, start + length + 12).replace(/(?:[\n\t|]| {2}).*$/s, '');
  return isDecoration(before.trim()) && isDecoration(behind.trim());
}

function isDecoration(text: string): boolean {
  const mark = text.replace(/^[-(+]+|[-)%]+$/g, '').trim();
  return mark === '' || isCurrencyMark(mark);
}

function numberAt(page: string, start: number, text: string): PrintedNumber | null {
  const left = leftOf(page, start);
  const right = rightOf(page, start + text.length);
  if (left === null || right === null) return null;
  const shape = shapeOf(text.replace(/[ \u00a0]/g, ' '), right.ending);
  if (shape === null) return null;
  const bracketed = left.bracket && right.bracket;
  // "(12)" may count something; "(12.00)" is how books print a negative amount.
  const aside = bracketed && shape.fraction === null && shape.vote === null && shape.undecided === null;
  const minus = left.minus || right.minus || bracketed;
  const plainEnd = start + text.length;
  return {
    start: bracketed || left.minus ? left.from + (left.bracket && !bracketed ? 1 : 0) : start,
    end: bracketed || right.ending !== null ? right.to : plainEnd + (right.minus ? 1 : 0),
    shape,
    sign: right.isCredit || (aside && !left.minus && !right.minus) ? 'either' : minus ? 'minus' : 'plus',
    percent: right.percent,
    hasUnit: right.hasUnit,
  };
}

interface Left {
  readonly minus: boolean;
  readonly bracket: boolean;
  /** Where the sign or bracket stands, or the digits begin. */
  readonly from: number;
}

/** Letters, signs and points at the end of a text, which may be a currency. */
function ending(text: string): string {
  return /[\p{L}\p{Sc}.]{1,4}$/u.exec(text)?.[0] ?? '';
}

const wordCharacter = /[\p{L}\p{N}_]$/u;

/**
 * What stands before the digits: a currency, glued or one blank apart, and before that a sign or a bracket. Null when
 * the digits belong to a word, a code, a time or a fraction.
 */
function leftOf(page: string, start: number): Left | null {
  if (standsFree(page.charCodeAt(start - 1), page.charCodeAt(start - 2)))
    return { minus: false, bracket: false, from: start };
  const before = page.slice(Math.max(0, start - 8), start);
  const glued = ending(before);
  // "No.5" is a number behind an abbreviation.
  if (glued !== '' && !isCurrencyMark(glued) && !glued.endsWith('.')) return null;
  if (/[\p{N}_]$|\d[/:,.'-]$/u.test(before)) return null;
  const apart = glued === '' ? ending(before.replace(/[ \u00a0]$/, '')) : glued;
  const currency = isCurrencyMark(apart) ? before.length - before.lastIndexOf(apart) : 0;
  const position = start - currency;
  const ahead = before.slice(0, before.length - currency);
  const plain = {
    minus: false,
    bracket: ahead.endsWith('('),
    from: ahead.endsWith('(') ? position - 1 : start,
  };
  if (!ahead.endsWith('-')) return plain;
  const word = ahead.slice(0, -1);
  // "x-5" is a code and "x-EUR 5" a dash; "EUR-5" and "-EUR 5" are negative.
  if (wordCharacter.test(word) && !isCurrencyMark(ending(word))) return currency > 0 ? plain : null;
  const bracket = word.endsWith('(');
  return { minus: true, bracket, from: position - (bracket ? 2 : 1) };
}

interface Right {
  readonly isCredit: boolean;
  readonly hasUnit: boolean;
  readonly minus: boolean;
  readonly bracket: boolean;
  readonly percent: boolean;
  /** Where the sign, bracket or dash ends, or the digits do. */
  readonly to: number;
  /** The mark before a dash that stands for no decimals: `50.-`. */
  readonly ending: DecimalMark | null;
}

const isEdge = (code: number) => Number.isNaN(code) || code === 10 || code === 9 || code === 124;

/** True, as for most numbers, where an end of the line or of a cell follows, or a blank and one of these or a digit. */
function standsFree(beside: number, beyond: number): boolean {
  if (beside !== 32) return isEdge(beside);
  return beyond === 32 || isEdge(beyond) || (beyond >= 48 && beyond <= 57);
}

/** What stands behind the digits. Null when they belong to a word, a code, a time or a fraction. */
function rightOf(page: string, end: number): Right | null {
  if (standsFree(page.charCodeAt(end), page.charCodeAt(end + 1))) {
    return {
      minus: false,
      bracket: false,
      percent: false,
      isCredit: false,
      hasUnit: false,
      to: end,
      ending: null,
    };
  }
  const after = page.slice(end, end + 8);
  if (/^[/:]\d|^-[\p{L}\p{N}]|^[_\p{N}]/u.test(after)) return null;
  const glued = /^[\p{L}\p{Sc}]+/u.exec(after)?.[0] ?? '';
  const isCredit = /^[ \u00a0]?(?:CR|DR)(?!\p{L})/u.test(after);
  const hasUnit = glued !== '' && !isCredit && !isCurrencyMark(glued);
  // Longer words are no units, and what goes on with digits is a code.
  if (hasUnit && (glued.length > 4 || /^\p{L}+\p{N}/u.test(after))) return null;
  const plain = { minus: false, bracket: false, percent: false, isCredit, hasUnit };
  const dash = /^([.,])-{1,2}(?!\d)/.exec(after);
  if (dash !== null) return { ...plain, to: end + dash[0].length, ending: dash[1] === ',' ? ',' : '.' };
  const closing = /^-?(?:[ \u00a0]?[\p{L}\p{Sc}.]{1,4})?\)/u.exec(after);
  const minus = after.startsWith('-');
  const to = end + (closing?.[0].length ?? (minus ? 1 : 0));
  const percent = /^[ \u00a0]?%/.test(after);
  return { ...plain, minus, bracket: closing !== null, percent, to, ending: null };
}
