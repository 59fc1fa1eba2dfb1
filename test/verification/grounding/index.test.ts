import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printedInDocument } from '../../../src/verification/constraints/printed-in-document.js';
import { type Found, locate, type Sought } from '../../../src/verification/grounding/locate.js';
import { PostingsBuilder } from '../../../src/verification/grounding/postings.js';
import { indexOf, TextIndex } from '../../../src/verification/grounding/text-index.js';

/** Looks at every line for everything, whatever is noted of them. */
class WholeText extends TextIndex {
  private readonly all = Array.from({ length: this.lineCount }, (_, line) => line);
  override linesOfWord = () => this.all;
  override linesOfText = () => this.all;
  override linesOfDigits = () => this.all;
  override linesOfCurrency = () => this.all;
}

const anyPiece = fc.oneof(
  fc.constantFrom(
    'Total',
    'TOTAL:',
    'Größe',
    'GRÖSSE',
    'cafe\u0301',
    'café',
    'ΟΔΟΣ',
    'οδος',
    'ΟΔΟΣ:Α',
    'İzmir',
  ),
  fc.constantFrom(
    'dama-',
    'ged',
    'damaged',
    'x½',
    'ﬁne',
    '\u212aelvin',
    '한글',
    '\u1112\u1161\u11ab',
    '𝐀',
    'नमस्ते',
    '…',
  ),
  fc.constantFrom('EUR', '€', 'US$', 'zł', 'kr', '円', 'د.ب', '%', '(', '-', 'No.5', 'A-17'),
  fc.constantFrom(
    '1,204',
    '1.204',
    '1,204.50',
    "1'204.50",
    '1 204,50',
    '204',
    '05',
    '50.-',
    '(12.00)',
    '12-',
    '0.05',
  ),
  fc.constantFrom('19%', '10pcs', '12,34,567', '7.00', '70', '1 200', '500 600', '2024', '1,204 CR'),
  fc.constantFrom(
    '03/04/2024',
    '3 May 2024',
    '2024-04-03,50',
    "3.4.2024'5",
    '5,3.4.2024',
    '3 May 2024 500',
    '13/04/24',
  ),
);
const gap = fc.constantFrom(' ', ' ', '  ', '\n', '\n', ': ', '\t', '-\n', ',', '');
const anyPage = fc.array(fc.tuple(anyPiece, gap), { maxLength: 25 }).map((pieces) => pieces.flat().join(''));
const kinds = ['money', 'decimal', 'count', 'percent', 'date', 'currency', 'identifier', 'text'] as const;
const anyValue = fc.oneof(
  fc.constantFrom(
    '1204',
    '1204.50',
    '1.204',
    '204',
    '5',
    '0.05',
    '-12',
    '7',
    '70',
    '1200',
    '500600',
    '0',
    '2024-04-03',
  ),
  fc.constantFrom('EUR', 'USD', 'JPY', 'kelvin', 'fine', 'dama-ged', 'οδος', 'οδοσ', '한글', '€', '-'),
  fc.array(anyPiece, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
);

describe('the index of a text', () => {
  it('finds what reading every line finds', () => {
    let found = 0;
    fc.assert(
      fc.property(
        fc.array(anyPage, { minLength: 1, maxLength: 3 }),
        anyValue,
        fc.constantFrom('EUR', 'BHD', null),
        (pages, value, currency) => {
          for (const kind of kinds) {
            const sought: Sought = { kind, value, currency, anySign: true };
            let from: Found | null = null;
            // On from each place found, so that searches begin everywhere and come round.
            for (let search = 0; search < 3; search += 1) {
              const place: Found | null = locate(indexOf({ pages }), sought, { from, within: null });
              expect(place).toEqual(locate(new WholeText({ pages }), sought, { from, within: null }));
              if (place === null) break;
              from = place;
              found += 1;
            }
          }
        },
      ),
      { numRuns: 400 },
    );
    expect(found).toBeGreaterThan(100);
  });

  it('finds a value behind more lines that begin like it than are tried', () => {
    const filling = Array.from({ length: 60_000 }, () => 'Rack unit 7').join('\n');
    const index = indexOf({ pages: [`${filling}\nRack unit 8`] });
    const sought: Sought = { kind: 'text', value: 'Rack unit 8', currency: null, anySign: false };
    expect(locate(index, sought, { from: null, within: null })).toMatchObject({
      start: 720_000,
      end: 720_011,
    });
  });
});

it('gives up after fifty thousand places that are not the value', () => {
  const five: Sought = { kind: 'decimal', value: '5', currency: null, anySign: false };
  const behind = (filling: number) => indexOf({ pages: [`${'-5\n'.repeat(filling)}5`] });
  const everywhere = { from: null, within: null };
  expect(locate(behind(49_999), five, everywhere)).toMatchObject({ start: 149_997 });
  expect(locate(behind(50_000), five, everywhere)).toBeNull();
});

describe('what stands beside a label', () => {
  it('is told in the order of the document: two currencies', () => {
    const rule = printedInDocument({ field: '/currency', kind: 'currency', labels: ['Currency'] });
    const text = { pages: ['100 USD\nCurrency: EUR USD'] };
    expect(rule.check({ currency: 'GBP' }, { text, previous: null })).toMatchObject([
      { pointer: '/currency', expected: 'USD or EUR' },
    ]);
  });

  it('is told in both readings: a date', () => {
    const rule = printedInDocument({ field: '/due', kind: 'date', labels: ['Due'] });
    const text = { pages: ['Paid: 04/03/2024\nDue: 03/04/2024'] };
    expect(rule.check({ due: '2024-05-05' }, { text, previous: null })).toMatchObject([
      { pointer: '/due', expected: '2024-03-04 or 2024-04-03' },
    ]);
  });
});

describe('postings', () => {
  it('list the lines of each thing in order, each once, whatever shares the list', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer(), fc.nat(3)), { maxLength: 3_000 }), (steps) => {
        const postings = new PostingsBuilder();
        const expected = new Map<number, Set<number>>();
        let line = 0;
        for (const [what, further] of steps) {
          line += further;
          postings.add(what, line);
          expected.set(what, (expected.get(what) ?? new Set()).add(line));
        }
        const built = postings.build();
        for (const [what, lines] of expected) {
          const listed = Array.from(built.linesOf(what));
          expect(listed).toEqual([...new Set(listed)].sort((a, b) => a - b));
          expect(listed).toEqual(expect.arrayContaining([...lines]));
        }
      }),
      { numRuns: 50 },
    );
  });
});
