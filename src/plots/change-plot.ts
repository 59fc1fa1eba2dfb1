import { drawing, label, line, rectangle } from './markup.js';

/** One number before and after a change, each row on a scale of its own that begins at 0. Null: not known. */
export interface ChangeRow {
  readonly name: string;
  readonly before: number | null;
  readonly after: number | null;
  /** The numbers as they are to be read: "12.0 s". */
  readonly beforeText: string;
  readonly afterText: string;
}

export interface ChangePlot {
  /** What the two states are called: "cap 3", "cap 6". */
  readonly before: string;
  readonly after: string;
  readonly rows: readonly ChangeRow[];
  readonly width: number;
}

const rowHeight = 38;
const head = 20;

/** What a change does to each number: the state before in grey, the one after in colour, row by row. SVG. */
export function changePlot({ before, after, rows, width }: ChangePlot): string {
  const left = Math.min(170, width * 0.34);
  const room = width - left - 84;
  return drawing(width, head + rows.length * rowHeight, says(before, after, rows), [
    rectangle(left, 3, 9, 9, 'plot-bar'),
    label(left + 14, 11, before, 'plot-second'),
    rectangle(left + room / 2, 3, 9, 9, 'plot-bar-accent'),
    label(left + room / 2 + 14, 11, after, 'plot-strong'),
    ...rows.flatMap((row, index) => {
      const top = head + index * rowHeight;
      const most = Math.max(row.before ?? 0, row.after ?? 0) || 1;
      const long = (value: number | null) => ((value ?? 0) / most) * room;
      return [
        line(0, top, width, top, 'plot-grid'),
        label(0, top + 23, row.name, 'plot-strong'),
        rectangle(left, top + 7, long(row.before), 9, 'plot-bar'),
        label(left + long(row.before) + 6, top + 15.5, row.beforeText, 'plot-second'),
        rectangle(left, top + 20, long(row.after), 11, 'plot-bar-accent'),
        label(left + long(row.after) + 6, top + 30, row.afterText, 'plot-strong'),
      ];
    }),
  ]);
}

function says(before: string, after: string, rows: readonly ChangeRow[]): string {
  const each = rows.map(({ name, beforeText, afterText }) => `${name} ${beforeText} to ${afterText}`);
  return `From ${before} to ${after}: ${each.join('; ')}.`;
}
