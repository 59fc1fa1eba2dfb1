import type { DocumentText } from '../document-text.js';
import { atomsOf } from './atoms.js';
import { ByKey } from './by-key.js';
import { currencyOfMark, markPattern, marksOf } from './currency-marks.js';
import { type Dated, datedLines } from './dated-lines.js';
import { fold } from './fold.js';
import { type Line, labelWords, linesOf } from './layout.js';
import { type DecimalMark, decimalMark } from './number-shape.js';
import { amountKey, sizeOf } from './number-value.js';
import { numbersOf } from './numbers.js';
import { Openings } from './openings.js';
import type { CurrencyPlace, DatePlace, IndexedPage, NumberPlace, Place, PlacedCell } from './places.js';
import { type PostedWords, postDigits, postWords } from './post-lines.js';
import { firstAt, type Lines } from './postings.js';
import { type WordLine, wordsOf } from './words.js';

const indexes = new WeakMap<DocumentText, TextIndex>();

/** The index of a text. Remembered as long as the text is, since every rule about printed values needs it. */
export function indexOf(text: DocumentText): TextIndex {
  const known = indexes.get(text);
  if (known !== undefined) return known;
  const made = new TextIndex(text);
  indexes.set(text, made);
  return made;
}

/**
 * A text layer prepared for looking values up. What could be on which line is noted once, in time that grows with the
 * text's length; what is on a line is read when somebody asks for it, since of a long text few lines are asked for. Lines
 * are numbered through all pages; nothing but a wrapped value goes on from one to the next.
 */
export class TextIndex {
  readonly pages: readonly IndexedPage[];
  readonly lineCount: number;
  private readonly pageOfLine: Int32Array;
  private readonly words: (WordLine | null | undefined)[] = [];
  private readonly openings = new Map<WordLine, Openings>();
  private readonly numbers: (readonly NumberPlace[] | undefined)[] = [];
  /** Numbers of a line by the amounts that they mean beside a currency of so many decimals. */
  readonly amounts: { readonly 2: ByKey<NumberPlace>; readonly 3: ByKey<NumberPlace> } = {
    2: this.amountsOf(2),
    3: this.amountsOf(3),
  };
  /** Dates of a line by every day that they can mean. */
  readonly dates = new ByKey(
    (line) => this.datesOn(line),
    ({ readings }) => readings,
  );
  /** Codes and signs of a line by their currency. */
  readonly marks = new ByKey(
    (line) => this.currenciesOn(line),
    ({ code }) => [code],
  );

  constructor(text: DocumentText) {
    let linesBefore = 0;
    this.pages = text.pages.map((page, at) => {
      const folded = fold(page);
      const indexed = { number: at + 1, text: page, folded, lines: linesOf(folded), linesBefore };
      linesBefore += indexed.lines.length;
      return indexed;
    });
    this.lineCount = linesBefore;
    this.pageOfLine = new Int32Array(linesBefore);
    for (const [at, page] of this.pages.entries()) {
      this.pageOfLine.fill(at, page.linesBefore, page.linesBefore + page.lines.length);
    }
  }

  /** A line with its page. */
  line(at: number): { readonly page: IndexedPage; readonly line: Line } {
    const page = this.pages[this.pageOfLine[at] as number] as IndexedPage;
    return { page, line: page.lines[at - page.linesBefore] as Line };
  }

  /** The line in which this place of a page lies. */
  lineAt(page: number, offset: number): number {
    const { lines, linesBefore } = this.pages[page - 1] as IndexedPage;
    return linesBefore + firstAt(1, lines.length, (at) => (lines[at] as Line).start > offset) - 1;
  }

  /** The lines that these places lie in, each once, in reading order. */
  linesIn(places: readonly Place[]): readonly number[] {
    const lines = new Set<number>();
    for (const { page, start, end } of places) {
      const last = this.lineAt(page, end);
      for (let line = this.lineAt(page, start); line <= last; line += 1) lines.add(line);
    }
    return [...lines].sort((a, b) => a - b);
  }

  wordsOn(at: number): WordLine | null {
    const known = this.words[at];
    if (known !== undefined) return known;
    const { page, line } = this.line(at);
    const read = wordsOf(page, line.cells, () => this.wordsBelow(at));
    this.words[at] = read;
    return read;
  }

  /** The words of a line, to be found by what they are; null for a line without any. */
  openingsOn(at: number): Openings | null {
    const words = this.wordsOn(at);
    if (words === null) return null;
    const known = this.openings.get(words) ?? new Openings(words);
    this.openings.set(words, known);
    return known;
  }

  private wordsBelow(at: number): WordLine | null {
    for (let line = at + 1; line < this.lineCount; line += 1) {
      const words = this.wordsOn(line);
      if (words !== null) return words;
    }
    return null;
  }

  /** Lines on which a word of this folded text, or a broken one, may begin. */
  linesOfWord(folded: string): Lines {
    const lists = atomsOf(folded).map((atom) => this.wordPostings.linesOf(atom));
    const [shortest] = lists.sort((a, b) => a.length - b.length);
    // Nothing but signs, by which no line is found.
    return (
      shortest ?? this.once('allLines', () => Int32Array.from({ length: this.lineCount }, (_, at) => at))
    );
  }

  /**
   * Lines on which a text of these folded words may begin. Each word stands at most four lines with words further down than
   * the one before it: a cell goes on in the next two, and so does a word that a hyphen breaks.
   */
  linesOfText(words: readonly string[]): Lines {
    const [opening, ...others] = words.map((word) => this.linesOfWord(word));
    if (opening === undefined || others.some(({ length }) => length === 0)) return [];
    const rarest = others.reduce((least, each) => (each.length < least.length ? each : least), opening);
    if (rarest === opening) return opening;
    const { wordLinesBefore: before } = this.wordPostings;
    const reach = 4 * (others.indexOf(rarest) + 1) + 4;
    const lines: number[] = [];
    let next = 0;
    for (const line of rarest) {
      const least = (before[line] as number) - reach;
      // Of the lines with a common word, most are far from a rare one.
      if ((before[opening[next] as number] as number) < least)
        next = firstAt(next, opening.length, (at) => (before[opening[at] as number] as number) >= least);
      for (; (opening[next] as number) <= line; next += 1) lines.push(opening[next] as number);
    }
    return lines;
  }

  private get wordPostings(): PostedWords {
    return this.once('wordPostings', () => postWords(this));
  }

  numbersOn(at: number): readonly NumberPlace[] {
    const read = this.numbers[at] ?? this.readNumbers(at);
    this.numbers[at] = read;
    return read;
  }

  private readNumbers(at: number): readonly NumberPlace[] {
    const { page, line } = this.line(at);
    return numbersOf(this.undated(at)).map((number) => ({
      page: page.number,
      start: line.start + number.start,
      end: line.start + number.end,
      number,
    }));
  }

  private amountsOf(units: number): ByKey<NumberPlace> {
    return new ByKey(
      (line) => this.numbersOn(line),
      ({ number }) => [amountKey(sizeOf(number, this, units))],
    );
  }

  /** Lines on which a number of these digits may stand. */
  linesOfDigits(digits: number): Lines {
    return this.once('digitPostings', () => postDigits(this)).linesOf(digits);
  }

  /** What the document's own numbers say about its decimals; null when they do not. */
  get decimalMark(): DecimalMark | null {
    return this.once('decimalMark', () => {
      const shapes = [];
      for (let at = 0; at < this.lineCount; at += 1) {
        const text = this.undated(at);
        // Only points and commas vote.
        if (!/\d[.,][-\d]/.test(text)) continue;
        for (const { shape } of numbersOf(text)) shapes.push(shape);
      }
      return decimalMark(shapes);
    });
  }

  /** True when a percent sign stands by itself, as in a table's heading: then a bare number can be a rate. */
  get hasPercentHeading(): boolean {
    return this.once('hasPercentHeading', () =>
      this.pages.some(({ folded }) => /(?<!\d[ \u00a0]?)%/.test(folded)),
    );
  }

  datesOn(at: number): readonly DatePlace[] {
    return this.dated.get(at)?.dates ?? [];
  }

  /** Lines by the ISO dates printed on them. */
  get byDate(): ReadonlyMap<string, readonly number[]> {
    return this.once('byDate', () => {
      const lines = new Map<string, number[]>();
      for (const [at, { dates }] of this.dated) {
        for (const reading of new Set(dates.flatMap(({ readings }) => readings))) {
          const known = lines.get(reading);
          if (known === undefined) lines.set(reading, [at]);
          else known.push(at);
        }
      }
      return lines;
    });
  }

  /** The line with blanks in the place of its dates. */
  undated(at: number): string {
    const dated = this.dated.get(at);
    if (dated !== undefined) return dated.rest;
    const { page, line } = this.line(at);
    return page.folded.slice(line.start, line.end);
  }

  private get dated(): ReadonlyMap<number, Dated> {
    return this.once('dated', () => datedLines(this.pages));
  }

  currenciesOn(at: number): readonly CurrencyPlace[] {
    const { page, line } = this.line(at);
    return [...page.folded.slice(line.start, line.end).matchAll(markPattern)].flatMap((match) => {
      const code = currencyOfMark(match[0]);
      const start = line.start + match.index;
      return code === null ? [] : [{ page: page.number, start, end: start + match[0].length, code }];
    });
  }

  /** Lines on which a code or sign of this currency may stand. */
  linesOfCurrency(code: string): readonly number[] {
    const lines = new Set<number>();
    for (const mark of marksOf(code)) {
      for (const { number, folded } of this.pages) {
        for (let start = folded.indexOf(mark); start >= 0; start = folded.indexOf(mark, start + 1)) {
          lines.add(this.lineAt(number, start));
        }
      }
    }
    return [...lines].sort((a, b) => a - b);
  }

  /** The currencies that the document names, in the order in which it does. */
  get currencies(): readonly string[] {
    return this.once('currencies', () => {
      const codes = new Set<string>();
      for (let at = 0; at < this.lineCount; at += 1) {
        for (const { code } of this.currenciesOn(at)) codes.add(code);
      }
      return [...codes];
    });
  }

  /** Cells that begin with this folded word, where a label can begin, in reading order. Not more than so many. */
  cellsByFirstWord(word: string, maximum: number): readonly PlacedCell[] {
    const found: PlacedCell[] = [];
    const lines = this.linesOfWord(word);
    for (let step = 0; step < lines.length && found.length < maximum; step += 1) {
      const at = lines[step] as number;
      const { page, line } = this.line(at);
      for (const [position, cell] of line.cells.entries()) {
        const text = page.folded.slice(cell.start, cell.end);
        if (labelWords(text, 1)[0]?.word !== word) continue;
        const below = page.lines[at - page.linesBefore + 1] ?? null;
        found.push({ page, cell, text, line, position, below });
      }
    }
    return found.slice(0, maximum);
  }

  private readonly made = new Map<string, unknown>();

  /** What is made of the whole text is made when it is asked for, and once. */
  private once<T>(name: string, make: () => T): T {
    if (!this.made.has(name)) this.made.set(name, make());
    return this.made.get(name) as T;
  }
}
