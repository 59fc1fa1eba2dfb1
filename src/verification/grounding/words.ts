import { fold, foldWord } from './fold.js';
import type { Line } from './layout.js';

/** What is read of a page: its folded text, and its lines. */
interface Page {
  readonly number: number;
  readonly folded: string;
  readonly lines: readonly Line[];
}

/** How two words are compared: letter case kept for codes, folded and composed for words. */
export interface Comparable {
  readonly exact: string;
  readonly folded: string;
}

/** A word of the text layer: a stretch without blanks, less the punctuation around it. */
export interface Word extends Comparable {
  /** Position in reading order. */
  readonly index: number;
  readonly page: number;
  readonly start: number;
  readonly end: number;
  /** True when a hyphen follows, with which a word may be broken at the end of a line. */
  readonly hyphen: boolean;
  /** False while the cell goes on after this word. */
  readonly endsCell: boolean;
  readonly line: WordLine;
}

/** A line that has words. */
interface WordLine {
  /** The first word of each cell. */
  readonly starts: readonly Word[];
  readonly below: WordLine | null;
}

/** While a text is being read, a line does not know yet what stands below it. */
type OpenLine = { starts: Word[]; below: OpenLine | null };
type Stretch = Comparable & Pick<Word, 'start' | 'end' | 'hyphen'>;

const stretch = /[^\s|:=]+/g;
/** From the first letter, digit or currency sign to the last one, or to a percent sign. */
const core = /[\p{L}\p{N}\p{Sc}](?:.*[\p{L}\p{N}\p{Sc}%])?/su;

/** A text goes on in one of so many columns; a line of more is no table. */
const maximumColumns = 16;

/** The words of all pages, in reading order. */
export function wordsOf(pages: readonly Page[]): readonly Word[] {
  const words: Word[] = [];
  let above: OpenLine | null = null;
  for (const page of pages) {
    for (const { cells } of page.lines) {
      const line: OpenLine = { starts: [], below: null };
      for (const cell of cells) {
        const stretches = stretchesOf(page.folded.slice(cell.start, cell.end), cell.start);
        for (const [at, part] of stretches.entries()) {
          const endsCell = at === stretches.length - 1;
          const word = { index: words.length, ...part, page: page.number, endsCell, line };
          if (at === 0 && line.starts.length < maximumColumns) line.starts.push(word);
          words.push(word);
        }
      }
      if (line.starts.length === 0) continue;
      if (above !== null) above.below = line;
      above = line;
    }
  }
  return words;
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
 * Reads a value from a word on, `words` being all there are: its words follow each other, except that a cell may be wrapped, going on in any cell
 * of the next two lines, and that a hyphen may break a word there. The last word, or null when the value is not there.
 */
export function matchFrom(
  words: readonly Word[],
  first: Word,
  value: readonly Comparable[],
  as: keyof Comparable,
): Word | null {
  let last: Word | null = null;
  for (const wanted of value) {
    const next: Word | null =
      last === null
        ? match(first, wanted[as], as)
        : (match(words[last.index + 1] ?? null, wanted[as], as) ?? wrapped(last, wanted[as], as));
    if (next === null) return null;
    last = next;
  }
  return last;
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
