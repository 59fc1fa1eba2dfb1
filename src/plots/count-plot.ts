import { drawing, label, rectangle } from './markup.js';
import { count, percent } from './words.js';

export interface CountPlot {
  /** What is counted: "documents". */
  readonly unit: string;
  readonly rows: readonly { readonly name: string; readonly count: number }[];
  /** Rows drawn at most; the rest is one row, summed. */
  readonly most: number;
  readonly width: number;
}

const rowHeight = 22;

/** Counts as ink bars, the largest first, each with its share of all. SVG. */
export function countPlot({ unit, rows, most, width }: CountPlot): string {
  const sorted = [...rows].sort((one, other) => other.count - one.count);
  const total = sorted.reduce((sum, row) => sum + row.count, 0);
  const isLong = sorted.length > most;
  const head = isLong ? sorted.slice(0, most - 1) : sorted;
  const tail = isLong ? sorted.slice(most - 1) : [];
  const rest = tail.reduce((sum, row) => sum + row.count, 0);
  const shown = isLong ? [...head, { name: `${tail.length} others`, count: rest }] : head;
  const left = Math.min(150, width * 0.36);
  const room = width - left - 110;
  const longest = Math.max(1, ...shown.map((row) => row.count));
  const says = shown.map((row) => `${row.name} ${count(row.count)}`).join(', ');
  return drawing(
    width,
    Math.max(1, shown.length) * rowHeight,
    `${count(total)} ${unit}: ${says || 'none'}.`,
    [
      ...shown.flatMap((row, index) => {
        const y = index * rowHeight;
        return [
          label(0, y + 15, row.name, isLong && index === shown.length - 1 ? '' : 'plot-mono'),
          rectangle(left, y + 7, (row.count / longest) * room, 8, 'plot-bar-ink'),
          label(width - 60, y + 15, count(row.count), 'plot-strong', 'end'),
          label(width, y + 15, percent(row.count / (total || 1)), '', 'end'),
        ];
      }),
    ],
  );
}
