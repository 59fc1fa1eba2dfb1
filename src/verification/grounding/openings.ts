import { grouped } from './by-key.js';
import { type Comparable, spellings, type Word, type WordLine } from './words.js';

/** Fewer words than this are read one by one. */
const few = 8;

/** The words of one line by what they are, so that a text is looked for where its rarest word stands. */
export class Openings {
  private readonly words: readonly Word[];
  private readonly whole: ReadonlyMap<string, readonly Word[]>;
  /** Those with a hyphen, with which a word may go on in the next lines. */
  private readonly broken: ReadonlyMap<string, readonly Word[]>;
  /** Of the broken ones. */
  private readonly lengths: ReadonlySet<number>;
  /** With so many words more, a text that begins with this one may go on elsewhere: at a hyphen, or behind its cell. */
  private readonly endsAfter: Int32Array;
  private readonly byEnd = new Map<string, readonly Word[]>();

  constructor({ words }: WordLine) {
    this.words = words;
    this.whole = grouped(words, ({ folded }) => [folded]);
    const broken = words.filter(({ hyphen, endsCell }) => hyphen && endsCell);
    this.broken = grouped(broken, ({ folded }) => [folded]);
    this.lengths = new Set([...this.broken.keys()].map(({ length }) => length));
    this.endsAfter = new Int32Array(words.length);
    for (const { at, endsCell, hyphen } of words.toReversed()) {
      this.endsAfter[at] = endsCell ? Number(!hyphen) : (this.endsAfter[at + 1] as number) + 1;
    }
  }

  /** Words with which a text of these words may begin, in reading order: all with which it does are among them. */
  of(text: readonly [Comparable, ...Comparable[]]): readonly Word[] {
    const halves = this.halvesOf(text[0].folded);
    const found = this.wholeOf(text);
    return halves.length === 0 ? found : [...found, ...halves].sort(inOrder);
  }

  private halvesOf(folded: string): readonly Word[] {
    return [...this.lengths].flatMap((length) => {
      const alike = length < folded.length ? this.broken.get(folded.slice(0, length)) : undefined;
      // All of them go on in the same lines.
      return alike !== undefined && spellings(alike[0] as Word).includes(folded) ? alike : [];
    });
  }

  private wholeOf(text: readonly [Comparable, ...Comparable[]]): readonly Word[] {
    const { folded } = text[0];
    const all = this.whole.get(folded) ?? [];
    if (all.length < few) return all;
    const last = text.length - 1;
    // What comes to the end of its cell may go on elsewhere; the rest of the text stands behind all others, word by word.
    const leaving = this.leaving(folded, all, last);
    const lists = text.map((word) => this.whole.get(word.folded) ?? []);
    const rarest = lists.reduce((least, list) => (list.length < least.length ? list : least));
    const before = lists.indexOf(rarest);
    const staying = rarest.flatMap(({ at }) => {
      const word = this.words[at - before];
      return word?.folded === folded && this.upTo(word) > last ? word : [];
    });
    return [...leaving, ...staying].sort(inOrder);
  }

  private leaving(folded: string, all: readonly Word[], last: number): readonly Word[] {
    const known = this.byEnd.get(folded) ?? all.toSorted((one, other) => this.upTo(one) - this.upTo(other));
    this.byEnd.set(folded, known);
    const end = known.findIndex((word) => this.upTo(word) > last);
    return end < 0 ? known : known.slice(0, end);
  }

  private upTo({ at }: Word): number {
    return this.endsAfter[at] as number;
  }
}

const inOrder = (one: Word, other: Word) => one.at - other.at;
