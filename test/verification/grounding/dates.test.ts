import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locate } from '../../../src/verification/grounding/locate.js';
import { indexOf } from '../../../src/verification/grounding/text-index.js';

function find(value: string, ...pages: string[]) {
  const sought = { kind: 'date', value, currency: null, anySign: false } as const;
  return locate(indexOf({ pages }), sought, { from: null, within: null });
}

const monthNames =
  'January February March April May June July August September October November December'.split(' ');

/** Ways of printing a day that have one reading only. */
const plainStyles: readonly ((year: number, month: number, day: number) => string)[] = [
  (y, m, d) => `${y}-${two(m)}-${two(d)}`,
  (y, m, d) => `${y}/${m}/${d}`,
  (y, m, d) => `${y}.${two(m)}.${two(d)}`,
  (y, m, d) => `${two(d)}.${two(m)}.${y}`,
  (y, m, d) => `${d}. ${m}. ${y}`,
  (y, m, d) => `${two(d)}.${two(m)}.${two(y % 100)}`,
  (y, m, d) => `${d} ${monthNames[m - 1]} ${y}`,
  (y, m, d) => `${d} ${monthNames[m - 1]?.slice(0, 3)}. ${y}`,
  (y, m, d) => `${two(d)}-${monthNames[m - 1]?.slice(0, 3).toUpperCase()}-${y}`,
  (y, m, d) => `${y}-${monthNames[m - 1]?.slice(0, 3)}-${two(d)}`,
  (y, m, d) => `${monthNames[m - 1]} ${d}, ${y}`,
  (y, m, d) => `${monthNames[m - 1]?.slice(0, 3)} ${two(d)} ${y}`,
  (y, m, d) => `the ${d}th of ${monthNames[m - 1]}, ${y}`,
  (y, m, d) => `${y}年${m}月${d}日`,
];

const anyDay = fc.record({
  year: fc.integer({ min: 1970, max: 2069 }),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 28 }),
});

describe('a date in a text', () => {
  it('is found in any style that has one reading, and no other day is', () => {
    fc.assert(
      fc.property(anyDay, anyDay, fc.constantFrom(...plainStyles), ({ year, month, day }, other, style) => {
        const page = `Issued: ${style(year, month, day)} in Manama`;
        const value = iso(year, month, day);
        expect(find(value, page), page).toMatchObject({ otherReadings: [] });
        const different = iso(other.year, other.month, other.day);
        if (different !== value) expect(find(different, page), page).toBeNull();
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['2024-11-03', '3 novembre 2024'],
    ['2024-08-03', '3 août 2024'],
    ['2024-03-03', '3. März 2024'],
    ['2024-12-03', '03. Dez. 2024'],
    ['2024-01-03', '3 de enero de 2024'],
    ['2024-05-03', '3 maggio 2024'],
    ['2024-10-03', '3 oktober 2024'],
    ['2024-09-01', '1er septembre 2024'],
    ['2024-11-03', "3 Nov '24"],
    ['2024-11-03', 'Sunday, November 3rd, 2024'],
    ['1985-11-03', '03.11.85'],
    ['2024-11-03', '2024-11-03T10:00:00Z'],
    ['2024-02-29', '29/02/2024'],
    ['2000-02-29', '29 February 2000'],
    ['2024-11-23', '11.23.2024'],
    ['2024-11-03', '2024-Nov-03'],
    ['2024-11-03', '2024年11月3日'],
    ['2024-05-04', '3 Foo 2024 and 4 May 2024'],
  ])('%s is read off "%s"', (value, page) => {
    expect(find(value, page)).not.toBeNull();
  });

  it.each([
    ['2023-03-01', '29/02/2023'],
    ['2023-02-29', '29/02/2023'],
    ['1900-02-29', '29 February 1900'],
    ['2024-04-31', '31 April 2024'],
    ['2024-13-01', '2024-13-01'],
    ['2024-11-03', 'INV-2024-11-03'],
    ['2024-11-03', 'A2024-11-03'],
    ['2024-11-03', '2024-11-031'],
    ['2024-11-03', '2024-11-03-7'],
    ['2024-11-03', '3 Foo 2024'],
    ['2024-05-03', '3 Foo 2024 and 4 May 2024'],
    ['2024-11-00', '0 November 2024'],
  ])('%s is not read off "%s"', (value, page) => {
    expect(find(value, page)).toBeNull();
  });
});

describe('case 29: a date with day and month in doubt', () => {
  const page = 'Date of birth: 03/04/1985';

  it('is found under either reading, keeps the print, and says the other reading', () => {
    expect(find('1985-04-03', page)).toMatchObject({ start: 15, end: 25, otherReadings: ['1985-03-04'] });
    expect(find('1985-03-04', page)).toMatchObject({ otherReadings: ['1985-04-03'] });
    expect(find('1985-04-04', page)).toBeNull();
  });

  it.each([
    ['day', '25/12/2024', '1985-04-03', '1985-03-04'],
    ['month', '12/25/2024', '1985-03-04', '1985-04-03'],
    ['day', '25-12-24', '1985-04-03', '1985-03-04'],
  ])('is settled by another date that puts the %s first', (_first, other, meant, not) => {
    expect(find(meant, page, `Printed ${other}`)).toMatchObject({ otherReadings: [] });
    expect(find(not, page, `Printed ${other}`)).toBeNull();
  });

  it('stays in doubt where other dates disagree or do not tell', () => {
    for (const others of ['25/12/2024 and 12/25/2024', '2024-12-25', '25.12.2024', '04/04/2024']) {
      expect(find('1985-03-04', page, others)).toMatchObject({ otherReadings: ['1985-04-03'] });
    }
  });

  it('is in no doubt when both parts are the same', () => {
    expect(find('1985-04-04', 'on 04/04/1985')).toMatchObject({ otherReadings: [] });
  });
});

describe('case 29: dates and time zones', () => {
  it.each(['America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'])('do not drift in %s', (zone) => {
    const before = process.env['TZ'];
    process.env['TZ'] = zone;
    try {
      expect(find('2024-03-01', '1 March 2024')).not.toBeNull();
      expect(find('2024-02-29', '1 March 2024')).toBeNull();
      expect(find('2024-03-02', '1 March 2024')).toBeNull();
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  });
});

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function iso(year: number, month: number, day: number): string {
  return `${year}-${two(month)}-${two(day)}`;
}
