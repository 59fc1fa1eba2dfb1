/** One column: its title, and how a row fills it. Numbers stand on the right. */
export interface Column<Row> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** True: left out, from the right, where the screen is too narrow; all of it is in the JSON. */
  readonly spare?: true;
  /** Cells longer than this are cut with an ellipsis. */
  readonly most?: number;
  cell(row: Row): string;
  /** Colours a finished cell; widths are counted without it. */
  paint?(row: Row, text: string): string;
}

/** Rows as lines of aligned columns under their titles; '' when there are none. `most`: as wide as the screen is. */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  most = Number.POSITIVE_INFINITY,
): string {
  if (rows.length === 0) return '';
  const whole = wholeTable(columns, rows);
  const isTooWide = whole.split('\n').some((line) => [...line].length > most);
  const spare = columns.findLastIndex((column) => column.spare === true);
  return isTooWide && spare >= 0 ? table(columns.toSpliced(spare, 1), rows, most) : whole;
}

function wholeTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map((column) => cut(oneLine(column.cell(row)), column.most)));
  const widths = columns.map((column, index) =>
    Math.max(...[column.title, ...cells.map((line) => line[index] ?? '')].map((text) => [...text].length)),
  );
  const lines = rows.map((row, at) =>
    columns.map((column, index) => {
      const text = pad(cells[at]?.[index] ?? '', widths[index] ?? 0, column.align);
      return column.paint === undefined ? text : column.paint(row, text);
    }),
  );
  const titles = columns.map((column, index) => pad(column.title, widths[index] ?? 0, column.align));
  return `${[titles, ...lines].map((line) => line.join('  ').trimEnd()).join('\n')}\n`;
}

/** Titles and values below one another, the values aligned; entries without a value are left out. */
export function facts(entries: readonly (readonly [title: string, value: string | null])[]): string {
  const given = entries.filter((entry): entry is readonly [string, string] => entry[1] !== null);
  const width = Math.max(0, ...given.map(([title]) => title.length));
  const indent = `\n${' '.repeat(width + 2)}`;
  return given
    .map(([title, value]) => `${title.padEnd(width)}  ${value.replaceAll('\n', indent)}\n`)
    .join('');
}

/** Control characters of a file name or a value must not move the cursor of whoever looks at it. */
export function oneLine(text: string): string {
  return text.replace(/\p{C}+/gu, ' ');
}

function cut(text: string, most: number | undefined): string {
  const letters = [...text];
  return most === undefined || letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`;
}

function pad(text: string, width: number, align: 'left' | 'right' | undefined): string {
  const space = ' '.repeat(Math.max(0, width - [...text].length));
  return align === 'right' ? space + text : text + space;
}
