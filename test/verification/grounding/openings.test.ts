import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexOf } from '../../../src/verification/grounding/text-index.js';
import { matchFrom, spellings, type Word, wordsOfValue } from '../../../src/verification/grounding/words.js';

/** Where a text begins on the first line of a page, found by looking from every word, and by what the line is sorted by. */
function lookedUp(page: string, text: string) {
  const index = indexOf({ pages: [page] });
  const [opening, ...others] = wordsOfValue(text);
  if (opening === undefined) throw new Error('The text has no words.');
  const all = index.wordsOn(0)?.words ?? [];
  const mayBegin = (word: Word) => spellings(word).includes(opening.folded);
  const begins = (word: Word) => matchFrom(word, [opening, ...others], 'folded') !== null;
  return {
    all: all.filter(mayBegin).map(({ at }) => at),
    right: all.filter((word) => mayBegin(word) && begins(word)).map(({ at }) => at),
    found:
      index
        .openingsOn(0)
        ?.of([opening, ...others])
        .map(({ at }) => at) ?? [],
  };
}

const word = fc.constantFrom('a', 'a', 'b', 'ab', 'a-', 'b-', 'c', 'aa-');
const line = (maxLength: number) =>
  fc
    .array(fc.tuple(word, fc.constantFrom(' ', ' ', '  ')), { minLength: 1, maxLength })
    .map((parts) => parts.flat().join(''));
const page = fc.tuple(line(60), line(6), line(6)).map((lines) => lines.join('\n'));
const text = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'a-b', 'aab', 'c'), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '));

describe('words with which a text may begin', () => {
  it('are all with which it does, some more with which it could, each once and in reading order', () => {
    fc.assert(
      fc.property(page, text, (page, text) => {
        const { all, right, found } = lookedUp(page, text);
        expect(right.filter((at) => !found.includes(at))).toEqual([]);
        expect(found.filter((at) => !all.includes(at))).toEqual([]);
        expect([...new Set(found)].sort((one, other) => one - other)).toEqual(found);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are few where its rarest word is rare, however many words are like its first one', () => {
    const racks = Array.from({ length: 300 }, (_, at) => `Rack unit ${at}, left side`).join('  ');
    // Its rarest word stands behind another word as well.
    const cells = `${racks}  Desk unit 207, left side`;
    expect(lookedUp(cells, 'Rack unit 207, left side')).toEqual({
      all: Array.from({ length: 300 }, (_, at) => 5 * at),
      right: [5 * 207],
      found: [5 * 207],
    });
  });

  it('are also those whose cell ends before the text does: it may go on below', () => {
    const cells = Array.from({ length: 20 }, () => 'Rack').join('  ');
    const { right, found } = lookedUp(`${cells}\nunit`, 'Rack unit');
    expect(right).toHaveLength(20);
    expect(found).toEqual(right);
  });

  it('are none on a line without words', () => {
    expect(lookedUp('---\na', 'a')).toEqual({ all: [], right: [], found: [] });
  });
});
