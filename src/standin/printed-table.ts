import type { Cell, Line } from './page-lines.js';
import { type PrintStyle, printedNumber } from './printed-values.js';
import type { Field } from './shape.js';
import { LIKELY, likeness, words } from './vocabulary.js';

/** The text of each property in one row; a property without a cell is missing. */
export type PrintedRow = Readonly<Record<string, string>>;

export interface PrintedTable {
  readonly rows: readonly PrintedRow[];
  /** Indices of the lines that belong to the table. */
  readonly lines: ReadonlySet<number>;
  /** Number of rows before the table was first carried forward to another page; 0 when it never was. */
  readonly carriedAt: number;
}

interface Column {
  readonly name: string | null;
  readonly cell: Cell;
}

const CARRY = /\b(carried|brought) (forward|over)|\bübertrag\b|continued (on|from)/i;
const CLOSING =
  /\b(total|subtotal|sub-total|tax|vat|gst|mwst|deductible|excess|balance|zwischensumme|gesamt\w*|netto\w*)\b/i;
const PAGE_MARK = /^(page|seite)\b|\b\d+\s*(of|\/|von)\s*\d+$/i;

/**
 * The table whose header row names the fields of `item`, over all its pages. Repeated headers, carry lines and page
 * marks are passed over; a line of text alone under a row continues that row's text. The table ends where a total or
 * another label of the form stands (`isLabel`), or where fewer columns than it has follow after a gap.
 */
export function printedTable(
  lines: readonly Line[],
  item: readonly Field[],
  style: PrintStyle,
  isLabel: (text: string) => boolean,
): PrintedTable {
  const rows: Record<string, string>[] = [];
  const used = new Set<number>();
  let columns: readonly Column[] | null = null;
  let carriedAt = 0;
  /** What stands right above: a row can be continued, and only before the first row may a short one follow a gap. */
  let above: 'header' | 'row' | 'gap' = 'gap';
  for (const [index, line] of lines.entries()) {
    const header = headerOf(line, item);
    const first = line.cells[0]?.text ?? '';
    if (header) {
      columns = header;
      above = 'header';
      used.add(index);
    } else if (line.cells.length === 0) {
      if (above === 'row') above = 'gap';
    } else if (columns && CARRY.test(line.cells.map((cell) => cell.text).join(' '))) {
      if (carriedAt === 0) carriedAt = rows.length;
      above = 'header';
      used.add(index);
    } else if (columns && !PAGE_MARK.test(first)) {
      const row = rowOf(line, columns, item, style);
      const isShort = line.cells.length < columns.length;
      const last = rows.at(-1);
      const isOther = isLabel(first) || (CLOSING.test(first) && (isShort || words(first).length < 4));
      if (row && !isOther && !(isShort && above === 'gap')) {
        rows.push(row);
        used.add(index);
        above = 'row';
      } else if (above === 'row' && last && continues(line, columns, item, last)) used.add(index);
      else if (above !== 'header') columns = null;
    }
  }
  return { rows, lines: used, carriedAt };
}

function headerOf(line: Line, item: readonly Field[]): readonly Column[] | null {
  if (line.cells.length < Math.min(2, item.length)) return null;
  const taken = new Set<string>();
  const columns = line.cells.map((cell): Column => {
    const best = item
      .filter((field) => !taken.has(field.name))
      .map((field) => ({ field, score: likeness(cell.text, field.phrases) }))
      .sort((a, b) => b.score - a.score)[0];
    if (!best || best.score < LIKELY) return { name: null, cell };
    taken.add(best.field.name);
    return { name: best.field.name, cell };
  });
  const enough = taken.size >= Math.max(Math.min(2, item.length), Math.ceil(item.length / 2));
  return enough && !line.cells.some((cell) => /^[^:]+:\s/.test(cell.text)) ? columns : null;
}

function rowOf(
  line: Line,
  columns: readonly Column[],
  item: readonly Field[],
  style: PrintStyle,
): Record<string, string> | null {
  const row: Record<string, string> = {};
  for (const [position, cell] of line.cells.entries()) {
    const column = line.cells.length === columns.length ? columns[position] : nearest(cell, columns);
    if (!column?.name) continue;
    row[column.name] = row[column.name] === undefined ? cell.text : `${row[column.name]} ${cell.text}`;
  }
  const numbers = item.filter((field) => field.shape.kind === 'number');
  const readable = (field: Field): boolean => printedNumber(row[field.name] ?? '', style) !== null;
  if (numbers.some((field) => row[field.name] !== undefined && !readable(field))) return null;
  const wanted = numbers.at(-1);
  return Object.keys(row).length > 1 && (!wanted || readable(wanted)) ? row : null;
}

/** Numbers are set flush right and texts flush left, so the nearer edge decides. */
function nearest(cell: Cell, columns: readonly Column[]): Column | undefined {
  const distance = (column: Column): number =>
    Math.min(
      Math.abs(column.cell.start - cell.start),
      Math.abs(column.cell.end - cell.end),
      Math.abs(column.cell.start + column.cell.end - cell.start - cell.end) / 2,
    );
  return [...columns].sort((a, b) => distance(a) - distance(b))[0];
}

/** Takes a line of wrapped text into the row above. */
function continues(
  line: Line,
  columns: readonly Column[],
  item: readonly Field[],
  row: Record<string, string>,
): boolean {
  const [cell] = line.cells;
  if (!cell || line.cells.length > 1 || CLOSING.test(cell.text) || /:\s*$|^[^:]{1,40}:\s/.test(cell.text))
    return false;
  const column = nearest(cell, columns);
  const field = item.find((each) => each.name === column?.name);
  if (field?.shape.kind !== 'text' || row[field.name] === undefined) return false;
  row[field.name] = `${row[field.name]} ${cell.text}`;
  return true;
}
