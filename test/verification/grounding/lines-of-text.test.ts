import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextIndex } from '../../../src/verification/grounding/text-index.js';

/** Two words may share a list of lines; here none do, so that lines can be counted by hand. */
class ExactIndex extends TextIndex {
  override linesOfWord(word: string): readonly number[] {
    const lines = this.pages.flatMap(({ folded }) => folded.toLowerCase().split('\n'));
    return lines.flatMap((line, at) => (line.split(' ').includes(word) ? at : []));
  }
}

const linesOf = (page: string, words: readonly string[]) => [
  ...new ExactIndex({ pages: [page] }).linesOfText(words),
];
const rows = Array.from({ length: 100 }, (_, row) => `Rack unit ${row}`);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('lines on which a text may begin', () => {
  it('are those with its first word that are near its rarest one, four lines a word at most', () => {
    expect(linesOf(rows.join('\n'), ['rack', 'unit', '70'])).toEqual(range(70 - 12, 70));
    expect(linesOf(rows.join('\n'), ['rack', 'unit', '3'])).toEqual(range(0, 3));
  });

  it('are each told once where rare words are near each other', () => {
    const page = rows.join('\n').replace('unit 66', 'unit 70').replace('unit 20', 'unit 70');
    expect(linesOf(page, ['rack', 'unit', '70'])).toEqual([...range(8, 20), ...range(54, 70)]);
  });

  it('are counted by the lines that have words', () => {
    expect(linesOf(rows.join('\n\n'), ['rack', 'unit', '70'])).toEqual(range(58, 70).map((row) => 2 * row));
  });

  it('are none where the rarest word stands before the first one only, or nowhere', () => {
    expect(linesOf('left\nRack\nRack', ['rack', 'left'])).toEqual([]);
    expect(linesOf('Rack\nRack', ['rack', 'right'])).toEqual([]);
  });

  it('are for any text those that looking from each line finds', () => {
    const line = fc.array(fc.constantFrom('a', 'a', 'b', 'c', '-'), { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 120 }), fc.nat(3), (lines, between) => {
        const text = ['a', ...Array.from({ length: between }, () => 'a'), 'c'];
        const index = new ExactIndex({ pages: [lines.map((words) => words.join(' ')).join('\n')] });
        const [first = [], last = []] = ['a', 'c'].map((word) => index.linesOfWord(word));
        const isNear = (from: number) => (to: number) => {
          const apart = lines.slice(from, to).filter((words) => words.some((word) => word !== '-')).length;
          return to >= from && apart <= 4 * (between + 1) + 4;
        };
        const near = last.length < first.length ? first.filter((from) => last.some(isNear(from))) : first;
        expect([...index.linesOfText(text)]).toEqual(last.length === 0 ? [] : near);
      }),
    );
  });
});
