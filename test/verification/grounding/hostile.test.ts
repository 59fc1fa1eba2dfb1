import { describe, expect, it } from 'vitest';
import { claim } from '../../../specs/claim/claim.js';
import { verify } from '../../../src/verification/verify.js';
import { aClaim } from '../../specs/claims.js';

/** Time that grew with the square of this length would end these tests at their limit. */
const length = 100_000;
const filled = (unit: string) => unit.repeat(Math.ceil(length / unit.length));

describe('a text made to keep the reader busy', () => {
  it.each([
    ['blanks', ' '],
    ['unusual blanks', '\v'],
    ['non-breaking blanks', '\u00a0'],
    ['line ends', '\n'],
    ['points', '.'],
    ['marks', '!'],
    ['digits', '7'],
    ['groups of digits', '123 '],
    ['groups of digits with commas', '123,'],
    ['apostrophes', "1'"],
    ['signs', '-'],
    ['brackets', '('],
    ['percent signs', '%'],
    ['letters', 'x'],
    ['words', 'damaged item '],
    ['cells', 'damaged  item  '],
    ['labels', 'Deductible  '],
    ['labels with colons', 'Deductible: '],
    ['labels in lines', 'Deductible:\n'],
    ['labels over values', 'Deductible  5\n5  Deductible\n'],
    ['broken words', 'dama-\nged  dama-\n'],
    ['columns of broken words', 'dama-  '],
    ['dates', '3 May 2024 '],
    ['halves of dates', '3 May '],
    ['dates in doubt', '03/04/2024 '],
    ['currencies', 'EUR '],
    ['currency signs', '€'],
  ])('is read to its end: %s', (_what, unit) => {
    const record = aClaim({ amounts: ['1.00', '2.00', '3.00'], total: '6.00', deductible: '5.00' });
    const pages = [`${filled(unit)}a\n${filled(unit)}`, `a${filled(unit)}`];
    expect(verify(record, claim.constraints, { text: { pages }, previous: null }).kind).toBe('broken');
  });
});
