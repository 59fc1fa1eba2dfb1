import { fold, foldWord } from './fold.js';
import type { Line } from './layout.js';

/** A word of the text layer: a stretch without blanks, less the punctuation around it. */
export interface Word {
  /** Position in the list of all words. */
  readonly index: number;
  readonly page: number;
  readonly start: number;
  readonly end: number;
  /** Folded, letter case kept: for codes. */
  readonly exact: string;
  /** Folded, one letter case, composed: for words. */
  readonly folded: string;
  /** True when a hyphen follows, with which a word may be broken at the end of a line. */
  readonly hyphen: boolean;
}

/** All words in reading order, and where a text may go on that is wrapped within a column. */
export interface Words {
  readonly list: readonly Word[];
  /** For each word: the index after the last word of its cell. */
  readonly cellEnds: readonly number[];
  /** For each word: its line. */
  readonly lines: readonly number[];
  /** For each line: the words that begin its cells. */
  readonly cellStarts: readonly (readonly number[])[];
}

type ValueWord = Pick<Word, 'exact' | 'folded'>;

const stretch = /[^\s|:=]+/g;
const leading = /^[^\p{L}\p{N}\p{Sc}]+/u;
const trailing = /[^\p{L}\p{N}\p{Sc}%]+$/u;

/** The words of all pages. `pages` are the texts as they are, `layout` their lines. */
export function wordsOf(pages: readonly string[], layout: readonly (readonly Line[])[]): Words {
  const list: Word[] = [];
  const cellEnds: number[] = [];
  const lines: number[] = [];
  const cellStarts: number[][] = [];
  for (const [index, page] of pages.entries()) {
    for (const { cells } of layout[index] ?? []) {
      const starts: number[] = [];
      for (const { start, end } of cells) {
        const words = wordsOfCell(page.slice(start, end), index + 1, start);
        if (words.length > 0) starts.push(list.length);
        const cellEnd = list.length + words.length;
        for (const word of words) {
          list.push({ ...word, index: list.length });
          cellEnds.push(cellEnd);
          lines.push(cellStarts.length);
        }
      }
      if (starts.length > 0) cellStarts.push(starts);
    }
  }
  return { list, cellEnds, lines, cellStarts };
}

/** The words of a value, to be compared with those of a page. None for a value of nothing but punctuation. */
export function wordsOfValue(value: string): readonly ValueWord[] {
  return wordsOfCell(value, 0, 0);
}

function wordsOfCell(cell: string, page: number, offset: number): readonly Omit<Word, 'index'>[] {
  return [...cell.matchAll(stretch)].flatMap((match) => {
    const lead = leading.exec(match[0])?.[0].length ?? 0;
    const text = match[0].slice(lead).replace(trailing, '');
    if (text === '') return [];
    const start = offset + match.index + lead;
    const hyphen = fold(match[0]).endsWith('-');
    return [{ page, start, end: start + text.length, exact: fold(text), folded: foldWord(text), hyphen }];
  });
}

/**
 * Reads a value from the word at `from`: its words follow each other, except that a cell may be wrapped, going on in
 * any cell of the next two lines, and that a hyphen may break a word there. The index of the last word, or null.
 */
export function matchFrom(
  words: Words,
  from: number,
  value: readonly ValueWord[],
  as: keyof ValueWord,
): number | null {
  let at = from;
  let last = from;
  for (const [index, wanted] of value.entries()) {
    const candidates = index === 0 ? [from] : [at, ...wraps(words, last)];
    const next = candidates
      .map((start) => matchWord(words, start, wanted[as], as))
      .find((end) => end !== null);
    if (next === undefined || next === null) return null;
    last = next;
    at = next + 1;
  }
  return last;
}

/** Every text under which a word is found: its own, and what it becomes when a hyphen breaks it over two lines. */
export function spellings(words: Words, word: Word, as: keyof ValueWord): readonly string[] {
  if (!word.hyphen) return [word[as]];
  const joined = wraps(words, word.index).map((next) => `${word[as]}${words.list[next]?.[as] ?? ''}`);
  return [word[as], ...joined, ...joined.map((text) => `${word[as]}-${text.slice(word[as].length)}`)];
}

function matchWord(words: Words, at: number, wanted: string, as: keyof ValueWord): number | null {
  const word = words.list[at];
  if (word === undefined) return null;
  if (word[as] === wanted) return at;
  if (!word.hyphen || !wanted.startsWith(word[as])) return null;
  const rest = wanted.slice(word[as].length).replace(/^-/, '');
  return wraps(words, at).find((next) => words.list[next]?.[as] === rest) ?? null;
}

/** Words with which the cell of a word may go on in the next two lines; none within a cell. */
function wraps(words: Words, at: number): readonly number[] {
  const line = words.lines[at];
  if (line === undefined || words.cellEnds[at] !== at + 1) return [];
  return [...(words.cellStarts[line + 1] ?? []), ...(words.cellStarts[line + 2] ?? [])];
}
