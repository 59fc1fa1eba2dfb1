import { drawing, element, label, line, path, rectangle } from './markup.js';
import { linearScale } from './scale.js';
import { bounds, percent } from './words.js';

/** One attempt of a curve: the share of all documents verified by then (0 to 1), with its interval. */
export interface YieldMark {
  readonly attempt: number;
  readonly share: number;
  readonly low: number;
  readonly high: number;
  /** The same less what an audit found wrong; null when nobody looked. */
  readonly net: number | null;
}

export interface YieldPlot {
  readonly marks: readonly YieldMark[];
  /** Attempts after it are known from elsewhere: hollow and shaded. The endstop stands behind it. */
  readonly cap: number;
  readonly width: number;
  readonly height: number;
}

const [left, right, top, foot] = [34, 12, 12, 24];

/** The share that the axis begins at: not 0 where that would press all marks together, and then it is said and broken. */
export function yieldFloor(marks: readonly YieldMark[]): number {
  const lows = marks.flatMap(({ low, net }) => (net === null ? [low] : [low, net]));
  return Math.max(0, Math.min(0.75, Math.floor((Math.min(1, ...lows) - 0.05) * 20) / 20));
}

/** Share of documents verified after each attempt, with intervals; what lies beyond the cap is hollow. SVG. */
export function yieldPlot({ marks, cap, width, height }: YieldPlot): string {
  const floor = yieldFloor(marks);
  const last = Math.max(cap, marks.length, 1);
  const x = linearScale([0.6, last + 0.6], [left, width - right]);
  const y = linearScale([floor, 1], [height - foot, top]);
  const step = 1 - floor > 0.5 ? 0.2 : 1 - floor > 0.3 ? 0.1 : 0.05;
  const grid = Array.from(
    { length: Math.floor((1 - floor) / step + 1e-9) + 1 },
    (_, index) => 1 - index * step,
  );
  const within = marks.filter(({ attempt }) => attempt <= cap);
  const beyond = marks.filter(({ attempt }) => attempt >= cap);
  const at = ({ attempt, share }: YieldMark) => [x(attempt), y(share)] as const;
  const nets = within.filter((mark): mark is YieldMark & { readonly net: number } => mark.net !== null);
  return drawing(width, height, says(marks, cap, floor), [
    ...(cap < marks.length
      ? [rectangle(x(cap + 0.5), top, width - right - x(cap + 0.5), height - foot - top, 'plot-shade')]
      : []),
    ...grid.map((share) => line(left, y(share), width - right, y(share), 'plot-grid')),
    ...grid.map((share) => label(left - 6, y(share) + 4, (share * 100).toFixed(0), '', 'end')),
    ...Array.from({ length: last }, (_, index) =>
      label(x(index + 1), height - 6, String(index + 1), '', 'middle'),
    ),
    label(0, height - 6, 'attempt'),
    ...(floor === 0 ? [] : brokenAxis(y(floor))),
    line(x(cap + 0.5), top - 4, x(cap + 0.5), height - foot, 'plot-endstop'),
    label(x(cap + 0.5) - 7, height - foot - 6, `cap ${cap}`, 'plot-strong', 'end'),
    path(beyond.map(at), 'plot-beyond'),
    path(
      nets.map(({ attempt, net }) => [x(attempt), y(net)]),
      'plot-series-ink',
    ),
    path(within.map(at), 'plot-series'),
    ...marks.flatMap((mark) => markOf(mark, mark.attempt <= cap, x(mark.attempt), y)),
    ...nets.map(({ attempt, net }) =>
      element('circle', { cx: x(attempt), cy: y(net), r: 3, class: 'plot-dot-ink' }),
    ),
    ...marks.flatMap((mark) => labelsOf(mark, mark.attempt <= cap, x, y, height - foot)),
  ]);
}

/** What is left out below the first line of the grid. */
function brokenAxis(base: number): readonly string[] {
  const points = [
    [left, base - 16],
    [left, base - 11],
    [left - 4, base - 9],
    [left + 4, base - 5],
    [left, base - 3],
    [left, base],
  ] as const;
  return [path(points, 'plot-series-edge')];
}

function markOf({ share, low, high }: YieldMark, isMade: boolean, x: number, y: (share: number) => number) {
  const dot = element('circle', { cx: x, cy: y(share), r: 4, class: isMade ? 'plot-dot' : 'plot-hollow' });
  const bar = isMade ? 'plot-series' : 'plot-series-edge';
  const interval = [
    line(x, y(low), x, y(high), bar),
    line(x - 4, y(low), x + 4, y(low), bar),
    line(x - 4, y(high), x + 4, y(high), bar),
  ];
  return low === high ? [dot] : [...interval, dot];
}

function labelsOf(
  { attempt, share, low, high, net }: YieldMark,
  isMade: boolean,
  places: (attempt: number) => number,
  y: (share: number) => number,
  base: number,
): readonly string[] {
  const x = places(attempt);
  const says = (share * 100).toFixed(1);
  const look = isMade ? 'plot-strong' : '';
  // The one net of the audit stands below, so this one makes way upwards.
  if (!isMade || net === null) {
    // The line comes from the left and below: beside it where the next attempt, or the bar, is not too near.
    const isRoomy = places(attempt + 1) - x > 70;
    return [label(isRoomy ? x + 3 : x, y(low) + 15, says, look, isRoomy ? 'start' : 'middle')];
  }
  // Below the axis stand the numbers of the attempts, and just above it the name of the cap.
  const below = y(net) + 15;
  const place = below < base - 2 ? below : Math.min(y(net) - 7, base - 20);
  return [
    label(x - 8, y(high) - 4, says, look, 'end'),
    label(x, place, `${(net * 100).toFixed(1)} net`, 'plot-second', 'middle'),
  ];
}

function says(marks: readonly YieldMark[], cap: number, floor: number): string {
  const each = marks.map(({ attempt, share, low, high, net }) => {
    const less = net === null ? '' : `, net of audit ${percent(net)}`;
    return `after attempt ${attempt} ${percent(share)}, ${bounds(low, high)}${less}`;
  });
  const axis = floor === 0 ? '' : ` The axis begins at ${(floor * 100).toFixed(0)} %.`;
  return `Share of documents verified: ${each.join('; ') || 'no attempts'}. The cap is ${cap}.${axis}`;
}
