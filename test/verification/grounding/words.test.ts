import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locate, type PrintKind } from '../../../src/verification/grounding/locate.js';
import { indexOf } from '../../../src/verification/grounding/text-index.js';

function find(kind: PrintKind, value: string, ...pages: string[]) {
  const found = locate(
    indexOf({ pages }),
    { kind, value, currency: null, anySign: false },
    { from: null, within: null },
  );
  return found === null ? null : (pages[found.page - 1] ?? '').slice(found.start, found.end);
}

describe('words in a text', () => {
  it.each([
    ['Pearl Shipping', 'Claimant: Pearl Shipping.', 'Pearl Shipping'],
    ['PEARL shipping', 'Claimant: Pearl  Shipping', 'Pearl  Shipping'],
    ['Müller & Söhne GmbH', 'Müller & So\u0308hne GmbH', 'Müller & So\u0308hne GmbH'],
    ['O’Brien', "Name: O'Brien,", "O'Brien"],
    ['Rack unit, 2U', '"Rack unit, 2U"', 'Rack unit, 2U'],
    ['ﬁne goods', 'fine goods', 'fine goods'],
    ['fine goods', 'ﬁne goods', 'ﬁne goods'],
    ['ΟΔΟΣ', 'οδος', 'οδος'],
    // A letter beyond the 65,536 that lines are noted by.
    ['𐐨', '---\nx 𐐨', '𐐨'],
    ['a - b', 'a – b', 'a – b'],
    ['Acme', 'Name:Acme', 'Acme'],
  ])('%j is found in %j', (value, page, printed) => {
    expect(find('text', value, page)).toBe(printed);
  });

  it.each([
    ['Pearl', 'Pearls'],
    ['Pearl Shipping', 'Pearl of Shipping'],
    ['Pearl Shipping', 'Shipping Pearl'],
    ['Pearl Shipping', 'Pearl'],
    ['...', '...'],
    ['x', ''],
  ])('%j is not found in %j', (value, page) => {
    expect(find('text', value, page)).toBeNull();
  });

  it('follow each other in the next lines of their column', () => {
    const page = 'Water damage to stock and  401.125\nfixtures on the  BHD\nfirst floor\n';
    expect(find('text', 'Water damage to stock and fixtures on the first floor', page)).not.toBeNull();
    expect(find('text', 'Water damage to stock and fixtures on the second floor', page)).toBeNull();
    expect(find('text', 'Water damage first floor', page)).toBeNull();
    const columns = 'Acme Trading  Beta Goods\nBahrain  Dubai';
    expect(find('text', 'Beta Goods Dubai', columns)).toBe('Beta Goods\nBahrain  Dubai');
    expect(find('text', 'Beta Goods Trading', columns)).toBeNull();
  });

  it.each([
    ['insurance broker', 'the insur-  5.00\nance broker'],
    ['insurance', 'the insur-\nance broker'],
    ['The insurance', 'the insur-\nance broker'],
    ['co-operation', 'for co-\noperation'],
    ['in co-operation', 'for in co-\noperation'],
  ])('%j may be broken by a hyphen: %j', (value, page) => {
    expect(find('text', value, page)).not.toBeNull();
  });

  it('are not joined where the hyphen does not end the line', () => {
    expect(find('text', 'the insurance', 'the insur- x\nance broker')).toBeNull();
    expect(find('text', 'the insurance', 'the insur-\nable broker')).toBeNull();
    expect(find('text', 'the insurance', 'the insur-\nable broker of insurance')).toBeNull();
    expect(find('text', 'my insurance', 'my insur-\nable broker of insurance')).toBeNull();
  });

  it('may begin on one page and end on the next', () => {
    expect(find('text', 'long description', 'a long', 'description')).toBe('long');
  });

  it('are found wherever they stand, for any words', () => {
    const word = fc.stringMatching(/^[a-zäöüß]{2,9}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(), (words, a, b) => {
        const [from, to] = [a % words.length, b % words.length].sort((x, y) => x - y) as [number, number];
        const value = words.slice(from, to + 1).join(' ');
        expect(find('text', value, words.join('\n'))).not.toBeNull();
        expect(find('text', value, words.join('   '))).not.toBeNull();
        expect(find('text', `${value} zzzzzzzzzzz`, words.join(' '))).toBeNull();
      }),
    );
  });
});

describe('codes in a text', () => {
  it.each([
    ['INV-90412', 'Invoice No.: INV-90412,'],
    ['INV-90412', 'Invoice No. (INV-90412)'],
    ['INV‐90412', 'Invoice INV-90412'],
    ['#12', 'No. #12'],
    ['HO/12.3', 'Ref=HO/12.3'],
    ['DE 12 3456', 'IBAN DE 12  3456'],
  ])('%j is found in %j', (value, page) => {
    expect(find('identifier', value, page)).not.toBeNull();
  });

  it.each([
    ['INV-904', 'INV-90412'],
    ['INV-904', 'INV-904-12'],
    ['904', 'INV-904'],
    ['inv-904', 'INV-904'],
    ['INV 904', 'INV-904'],
  ])('%j is not found in %j', (value, page) => {
    expect(find('identifier', value, page)).toBeNull();
  });
});

describe('currencies in a text', () => {
  it.each([
    ['EUR', 'All amounts in EUR'],
    ['EUR', 'Total €5.00'],
    ['EUR', 'in5€'],
    ['EUR', 'EUR1,204.50'],
    ['USD', 'Total $5.00'],
    ['USD', 'Total US$ 5.00'],
    ['CAD', 'C$5.00'],
    ['BHD', 'BD 1,204.375'],
    ['BHD', '1,204.375 د.ب'],
    ['KWD', '1.000 د.ك'],
    ['JPY', '￥500'.replace('￥', '¥')],
    ['JPY', '500円'],
    ['CNY', 'CN¥500'],
    ['PLN', '5,00 zł'],
  ])('%s is read off %j', (code, page) => {
    expect(find('currency', code, page)).not.toBeNull();
  });

  it.each([
    ['USD', 'C$5.00'],
    ['CAD', '$5.00'],
    ['AUD', '$5.00'],
    ['CNY', '¥500'],
    ['SEK', '500 kr'],
    ['EUR', 'EUROPE'],
    ['EUR', 'eur'],
    ['USD', 'J$5.00'],
  ])('%s is not read off %j', (code, page) => {
    expect(find('currency', code, page)).toBeNull();
  });
});
