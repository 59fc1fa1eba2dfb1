import { clockAxis } from './clock-axis.js';
import { drawing, element, label, line } from './markup.js';
import { linearScale, roundTicks } from './scale.js';
import { count } from './words.js';

/** Slots of one lane over time. */
export interface LaneMarks {
  readonly name: string;
  /** Slots there are; null when nobody said, and then no endstop is drawn. */
  readonly slots: number | null;
  /** The most at one instant; null when it was not measured, and the marks are all that is known. */
  readonly peak: number | null;
  /** Slots busy from this instant on, until the next mark; in order. */
  readonly marks: readonly { readonly at: number; readonly name: string; readonly busy: number }[];
}

export interface LanesPlot {
  readonly lanes: readonly LaneMarks[];
  readonly width: number;
  /** Of one lane; lanes stand below one another. */
  readonly laneHeight: number;
}

const [left, right, top, foot] = [44, 104, 14, 22];

/** Busy slots of each lane over time, as steps towards the number of slots. SVG. */
export function lanesPlot({ lanes, width, laneHeight }: LanesPlot): string {
  const height = lanes.length * laneHeight + foot;
  const ends = lanes.flatMap(({ marks }) => [marks[0], marks.at(-1)]).filter((mark) => mark !== undefined);
  const all = ends.map(({ at }) => at);
  const x = linearScale([Math.min(...all), Math.max(...all)], [left, width - right]);
  const longest = lanes.reduce<LaneMarks['marks']>(
    (most, { marks }) => (marks.length > most.length ? marks : most),
    [],
  );
  const places = longest.map(({ at }) => x(at));
  return drawing(width, height, says(lanes), [
    ...lanes.flatMap((lane, index) => laneOf(lane, x, index * laneHeight, laneHeight, width - right)),
    ...clockAxis(longest, places, 56, height - 5),
  ]);
}

function laneOf(
  lane: LaneMarks,
  x: (at: number) => number,
  above: number,
  laneHeight: number,
  edge: number,
): readonly string[] {
  const { name, slots, marks } = lane;
  const most = Math.max(1, slots ?? 0, highest(lane));
  const base = above + laneHeight - 8;
  const y = linearScale([0, most], [base, above + top]);
  const steps = marks.map(({ at, busy }, index) => {
    const until = marks[index + 1]?.at;
    return `L${px(x(at))} ${px(y(busy))}L${px(until === undefined ? edge : x(until))} ${px(y(busy))}`;
  });
  const begin = px(x(marks[0]?.at ?? 0));
  const ticks = roundTicks(most, 3).filter(
    (tick) => tick <= most && (slots === null || y(tick) - y(slots) > 11),
  );
  const outline = steps.join('').replace(/^L/, 'M');
  return [
    ...ticks.map((tick) => line(left, y(tick), edge, y(tick), 'plot-grid')),
    ...ticks.map((tick) => label(left - 6, y(tick) + 4, count(tick), '', 'end')),
    ...(marks.length === 0
      ? []
      : [
          element('path', {
            d: `M${begin} ${px(base)}${steps.join('')}L${px(edge)} ${px(base)}Z`,
            class: 'plot-area',
          }),
          element('path', { d: outline, class: 'plot-series' }),
        ]),
    ...(slots === null
      ? []
      : [
          line(left, y(slots), edge, y(slots), 'plot-endstop'),
          label(left - 6, y(slots) + 4, count(slots), 'plot-strong', 'end'),
        ]),
    label(
      edge + 10,
      above + top + 4,
      slots === null ? name : `${name}, ${count(slots)} slots`,
      'plot-strong',
    ),
    label(edge + 10, above + top + 18, mostOf(lane)),
  ];
}

function highest({ marks }: LaneMarks): number {
  return marks.reduce((most, { busy }) => Math.max(most, busy), 0);
}

function mostOf(lane: LaneMarks): string {
  return lane.peak === null ? `highest shown ${count(highest(lane))}` : `peak ${count(lane.peak)}`;
}

function px(value: number): number {
  return Math.round(value * 10) / 10;
}

function says(lanes: readonly LaneMarks[]): string {
  const each = lanes.map((lane) => {
    const { name, slots, marks } = lane;
    const mean = marks.reduce((sum, { busy }) => sum + busy, 0) / Math.max(1, marks.length);
    return `${name}: ${count(mean)} busy on average, ${mostOf(lane)}${slots === null ? '' : ` of ${count(slots)}`}`;
  });
  return `Slots busy over time. ${each.join('; ') || 'No lanes'}.`;
}
