import { fold, foldWord } from './fold.js';
import type { Cell } from './layout.js';

/** How two words are compared: letter case kept for codes, folded and composed for words. */
export interface Comparable {
  readonly exact: string;
  readonly folded: string;
}

/** A word of the text layer: a stretch without blanks, less the punctuation around it. */
export interface Word extends Comparable {
  readonly page: number;
  readonly start: number;
  readonly end: number;
  /** True when a hyphen follows, with which a word may be broken at the end of a line. */
  readonly hyphen: boolean;
  /** False while the cell goes on after this word. */
  readonly endsCell: boolean;
  readonly line: WordLine;
  /** Its position in the line. */
  readonly at: number;
}

type Stretch = Comparable & Pick<Word, 'start' | 'end' | 'hyphen'>;

const stretch = /[^\s|:=]+/g;
/** From the first letter, digit or currency sign to the last one, or to a percent sign. */
const core = /[\p{L}\p{N}\p{Sc}](?:.*[\p{L}\p{N}\p{Sc}%])?/su;

/** A text goes on in one of so many columns; a line of more is no table. */
const maximumColumns = 16;

/** A line that has words. */
export class WordLine {
  readonly words: Word[] = [];
  /** The first word of each cell. */
  readonly starts: Word[] = [];
  private readonly findBelow: () => WordLine | null;
  private known: WordLine | null | undefined;

  constructor(findBelow: () => WordLine | null) {
    this.findBelow = findBelow;
  }

  /** The next line that has words, be it on another page. */
  get below(): WordLine | null {
    if (this.known === undefined) this.known = this.findBelow();
    return this.known;
  }
}

/** The words of these cells of a page, or null when there are none. `below` is asked once, when it is needed. */
export function wordsOf(
  page: { readonly number: number; readonly folded: string },
  cells: readonly Cell[],
  below: () => WordLine | null,
): WordLine | null {
  const line = new WordLine(below);
  const { words, starts } = line;
  for (const cell of cells) {
    const stretches = stretchesOf(page.folded.slice(cell.start, cell.end), cell.start);
    for (const [position, part] of stretches.entries()) {
      const { start, end, exact, folded, hyphen } = part;
      const endsCell = position === stretches.length - 1;
      const word = { page: page.number, start, end, exact, folded, hyphen, endsCell, line, at: words.length };
      if (position === 0 && starts.length < maximumColumns) starts.push(word);
      words.push(word);
    }
  }
  return words.length === 0 ? null : line;
}

/** The words of a value, to be compared with those of a page. None for a value of nothing but punctuation. */
export function wordsOfValue(value: string): readonly Comparable[] {
  return stretchesOf(fold(value), 0);
}

/** `cell` is folded text. */
function stretchesOf(cell: string, offset: number): readonly Stretch[] {
  return [...cell.matchAll(stretch)].flatMap((match) => {
    const found = core.exec(match[0]);
    if (found === null) return [];
    const text = found[0];
    const start = offset + match.index + found.index;
    const hyphen = match[0].endsWith('-');
    return [{ start, end: start + text.length, exact: text, folded: foldWord(text), hyphen }];
  });
}

/**
 * Reads a value from a word on: its words follow each other, except that a cell may be wrapped, going on in any cell of the
 * next two lines, and that a hyphen may break a word there. The last word, or null when the value is not there.
 */
export function matchFrom(first: Word, value: readonly Comparable[], as: keyof Comparable): Word | null {
  let last: Word | null = null;
  for (const wanted of value) {
    const next: Word | null =
      last === null
        ? match(first, wanted[as], as)
        : (match(following(last), wanted[as], as) ?? wrapped(last, wanted[as], as));
    if (next === null) return null;
    last = next;
  }
  return last;
}

function following({ line, at }: Word): Word | null {
  return line.words[at + 1] ?? line.below?.words[0] ?? null;
}

/** Every folded text under which a word is found: its own, and what it is when a hyphen breaks it over two lines. */
export function spellings(word: Word): readonly string[] {
  const { folded } = word;
  if (!word.hyphen) return [folded];
  return [folded, ...wraps(word).flatMap((next) => [`${folded}${next.folded}`, `${folded}-${next.folded}`])];
}

/** The word, or the second part of a broken one, when they are what is wanted. */
function match(word: Word | null, wanted: string, as: keyof Comparable): Word | null {
  if (word === null || word[as] === wanted) return word;
  if (!word.hyphen || !wanted.startsWith(word[as])) return null;
  const rest = wanted.slice(word[as].length).replace(/^-/, '');
  return wraps(word).find((other) => other[as] === rest) ?? null;
}

function wrapped(last: Word, wanted: string, as: keyof Comparable): Word | null {
  for (const word of wraps(last)) {
    const next = match(word, wanted, as);
    if (next !== null) return next;
  }
  return null;
}

/** Words with which the cell of a word may go on in the next two lines; none within a cell. */
function wraps({ endsCell, line }: Word): readonly Word[] {
  if (!endsCell) return [];
  return [...(line.below?.starts ?? []), ...(line.below?.below?.starts ?? [])];
}
