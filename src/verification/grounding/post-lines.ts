import { atomsOf, digitsOf, tellAtoms, tellDigits } from './atoms.js';
import { type Line, labelWords } from './layout.js';
import { candidates } from './numbers.js';
import { type Postings, PostingsBuilder } from './postings.js';
import { spellings, type WordLine } from './words.js';

/** A text, line by line: numbered through all pages. */
interface Text {
  readonly lineCount: number;
  line(at: number): { readonly page: { readonly folded: string }; readonly line: Line };
  wordsOn(at: number): WordLine | null;
  undated(at: number): string;
}

/** A hyphen with which a word may be broken. */
const brokenWord = /[^\s|:=]-(?=[\s|:=]|$)/;

export interface PostedWords extends Postings {
  /** How many lines with words come before each line, at least. */
  readonly wordLinesBefore: Int32Array;
}

/** Notes the words of a text by the lines they stand on. */
export function postWords(text: Text): PostedWords {
  const postings = new PostingsBuilder();
  const wordLinesBefore = new Int32Array(text.lineCount);
  let wordLines = 0;
  let at = 0;
  const add = (atom: number) => postings.add(atom, at);
  for (; at < text.lineCount; at += 1) {
    const { page, line } = text.line(at);
    wordLinesBefore[at] = wordLines;
    const before = postings.count;
    const isSteady = tellAtoms(page.folded, line.start, line.end, add);
    if (postings.count > before) wordLines += 1;
    if (isSteady && !brokenWord.test(page.folded.slice(line.start, line.end))) continue;
    for (const word of readWords(text, at)) atomsOf(word).forEach(add);
  }
  return { ...postings.build(), wordLinesBefore };
}

/** Words as they are compared, whole ones out of broken ones, and the words that can begin a label. */
function readWords(text: Text, at: number): readonly string[] {
  const { page, line } = text.line(at);
  const labels = line.cells.flatMap((cell) => labelWords(page.folded.slice(cell.start, cell.end), 1));
  const words = text.wordsOn(at)?.words ?? [];
  return [...labels.map(({ word }) => word), ...words.flatMap(spellings)];
}

/** Thousands that blanks may set apart. */
const spaced = /\d[ \u00a0]\d{3}(?!\d)/;

/** Notes the numbers of a text, by their digits, by the lines they stand on. */
export function postDigits(text: Text): Postings {
  const postings = new PostingsBuilder();
  for (let at = 0; at < text.lineCount; at += 1) {
    const line = text.undated(at);
    tellDigits(line, (digits) => postings.add(digits, at));
    if (!spaced.test(line)) continue;
    for (const candidate of candidates(line)) postings.add(digitsOf(candidate.text), at);
  }
  return postings.build();
}
