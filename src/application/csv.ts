import { isDecimal } from '../domain/decimal.js';

/** What makes a spreadsheet take a cell for a formula, in the widths that it takes for the same. */
const startsFormula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** Needs no quotes, whichever character a program takes for the border between two cells. */
const needsNoQuotes = /^[A-Za-z0-9_.:/-]*$/;

/**
 * One line of CSV (RFC 4180), its line end included. A text that a spreadsheet would run as a formula gets an apostrophe
 * in front; a negative amount is a number and gets none.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(text: string): string {
  const safe = startsFormula.test(text) && !isDecimal(text) ? `'${text}` : text;
  return needsNoQuotes.test(safe) ? safe : `"${safe.replaceAll('"', '""')}"`;
}
