/** A run of text standing apart from its neighbours, with where it begins and ends on its line, in characters. */
export interface Cell {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** One printed line. A line without cells is a gap between blocks. */
export interface Line {
  readonly page: number;
  readonly cells: readonly Cell[];
}

/** A piece of text as a PDF places it: left edge, width and baseline in points. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly size: number;
}

/** Columns in plain text stand apart by two blanks, a bar or leader dots. */
const COLUMN_GAP = /\s{2,}|\s*\|\s*|\s*\.{4,}\s*/g;

/** A line drawn across the page, not a value. */
const RULE = /^[-=*~+\u2500-\u257f\s]{3,}$/;

/** The lines of plain text; a form feed begins a new page. */
export function linesOfText(text: string): Line[] {
  const pages = text.replace(/^\uFEFF/, '').split('\f');
  return pages.flatMap((page, index) =>
    page
      .split(/\r\n|\n|\r/)
      .map((line) => ({ page: index + 1, cells: cellsOf(line.replaceAll('\t', '    ')) })),
  );
}

function cellsOf(line: string): Cell[] {
  const cells: Cell[] = [];
  let from = 0;
  const push = (to: number): void => {
    const text = line.slice(from, to).trim();
    const start = from + (line.slice(from, to).length - line.slice(from, to).trimStart().length);
    if (text !== '' && !RULE.test(text)) cells.push({ text, start, end: start + text.length });
  };
  for (const gap of line.matchAll(COLUMN_GAP)) {
    push(gap.index);
    from = gap.index + gap[0].length;
  }
  push(line.length);
  return cells;
}

/** Width of an average character as a share of the font size; turns points into character columns. */
const CHARACTER = 0.5;

/** The lines of one PDF page: pieces on one baseline form a line, a gap wider than a blank or so parts two cells. */
export function linesOfPage(page: number, pieces: readonly PlacedText[]): Line[] {
  const rows: PlacedText[][] = [];
  for (const piece of [...pieces]
    .filter((each) => each.text.trim() !== '')
    .sort((a, b) => b.y - a.y || a.x - b.x)) {
    const row = rows.at(-1);
    const neighbour = row?.[0];
    if (row && neighbour && Math.abs(neighbour.y - piece.y) < piece.size * 0.4) row.push(piece);
    else rows.push([piece]);
  }
  const lines: Line[] = [];
  let last: PlacedText | undefined;
  for (const row of rows) {
    const first = row[0];
    if (first && last && last.y - first.y > first.size * 1.9) lines.push({ page, cells: [] });
    lines.push({ page, cells: cellsOfRow(row) });
    last = first;
  }
  return lines;
}

function cellsOfRow(row: readonly PlacedText[]): Cell[] {
  const cells: { text: string; x: number; right: number; size: number }[] = [];
  for (const piece of [...row].sort((a, b) => a.x - b.x)) {
    const open = cells.at(-1);
    const gap = open ? piece.x - open.right : Number.POSITIVE_INFINITY;
    if (open && gap < piece.size * 0.7) {
      open.text += gap > piece.size * 0.15 ? ` ${piece.text}` : piece.text;
      open.right = piece.x + piece.width;
    } else {
      cells.push({ text: piece.text, x: piece.x, right: piece.x + piece.width, size: piece.size });
    }
  }
  return cells.map((cell) => ({
    text: cell.text.replace(/\s+/g, ' ').trim(),
    start: cell.x / (10 * CHARACTER),
    end: cell.right / (10 * CHARACTER),
  }));
}
