import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from '../../src/application/csv.js';
import { isDecimal } from '../../src/domain/decimal.js';
import { parseCsv } from '../support/csv.js';

describe('a line of CSV', () => {
  it('quotes what needs it, doubles quotes and ends in CR LF', () => {
    expect(csvLine(['a', 'b,c', 'say "so"', 'two\nlines', ''])).toBe(
      'a,"b,c","say ""so""","two\nlines",\r\n',
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("http://evil","x")', `'=HYPERLINK("http://evil","x")`],
    ['+49 30 1234', "'+49 30 1234"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', "'\r=1"],
    ['\n=1', "'\n=1"],
    ['  =1', "'  =1"],
    ['＝1+1', "'＝1+1"],
    ['-75.00', '-75.00'],
    ['-75.00.', "'-75.00."],
    ['1-1', '1-1'],
    ['a@b.example', 'a@b.example'],
    ["'quoted", "'quoted"],
  ])('takes %j for a text, not for a formula', (text, cell) => {
    expect(parseCsv(csvLine([text]))).toEqual([[cell]]);
  });

  it('quotes a border of other programs, so that no cell is cut in two and its rest run', () => {
    for (const border of [';', '\t', '|']) expect(csvLine([`a${border}=1`])).toBe(`"a${border}=1"\r\n`);
  });

  it('reads back as what was written, but for the apostrophe before a formula', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'=-+@",;\r\n\t 1a') }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1 }), { minLength: 1 }), (rows) => {
        const read = parseCsv(rows.map(csvLine).join(''));
        expect(read.map((row) => row.length)).toEqual(rows.map((row) => row.length));
        for (const [at, row] of rows.entries()) {
          for (const [index, text] of row.entries()) {
            const shown = read[at]?.[index] ?? '';
            expect([text, `'${text}`]).toContain(shown);
            if (/^\s*[=+\-@]/.test(shown)) expect(isDecimal(shown)).toBe(true);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
