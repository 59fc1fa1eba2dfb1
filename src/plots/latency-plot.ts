import { clockAxis } from './clock-axis.js';
import { type ClockText, drawing, element, label, line, path } from './markup.js';
import { linearScale, logScale, type Scale, spread, tickBelow, timeTicks } from './scale.js';
import { count, shortTime, time } from './words.js';

/** Documents that began within one stretch of time. A quantile is null when too many of them are open to know it. */
export interface LatencyMark extends ClockText {
  /** When the stretch began, in ms of any clock: it only sets the distance. */
  readonly at: number;
  readonly documents: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

export interface LatencyPlot {
  readonly marks: readonly LatencyMark[];
  /** Present ages of the runs that are open. */
  readonly openMs: readonly number[];
  /** How many are open, where not all ages are given. */
  readonly openRuns?: number;
  /** The longest deadline in force; null: there is none to show. */
  readonly deadlineMs: number | null;
  readonly width: number;
  readonly height: number;
}

const [left, right, top, foot] = [44, 104, 14, 62];
const series = [
  ['p99', 'p99Ms', 'plot-series-ink', 'plot-dot-ink'],
  ['p95', 'p95Ms', 'plot-series-edge', 'plot-dot-edge'],
  ['p50', 'p50Ms', 'plot-series', 'plot-dot'],
] as const;
/** Triangles drawn at most; all are counted. */
const mostTriangles = 40;

/** Time to an outcome by when documents began, on a log scale, open runs as triangles at their present age. SVG. */
export function latencyPlot(plot: LatencyPlot): string {
  const { marks, openMs, deadlineMs, width, height } = plot;
  const known = marks.flatMap(({ p50Ms, p95Ms, p99Ms }) => [p50Ms, p95Ms, p99Ms]).filter((ms) => ms !== null);
  const all = [...known, ...openMs];
  const low = tickBelow(Math.max(1, Math.min(deadlineMs ?? 1_000, ...all)));
  const high = Math.max(low * 10, deadlineMs ?? 0, ...all);
  const [edge, base] = [width - right, height - foot];
  const y = logScale([low, high], [base, top]);
  const [first, last] = [marks[0]?.at ?? 0, marks.at(-1)?.at ?? 0];
  const x: Scale =
    first === last ? () => (left + edge) / 2 : linearScale([first, last], [left + 10, edge - 10]);
  const ticks = timeTicks(low, high).filter(
    (ms) => deadlineMs === null || Math.abs(y(ms) - y(deadlineMs)) > 12,
  );
  const shown = ticks.filter(
    (_, index) => index % Math.max(1, Math.ceil((ticks.length * 14) / (base - top))) === 0,
  );
  return drawing(width, height, says(plot), [
    ...shown.map((ms) => line(left, y(ms), edge, y(ms), 'plot-grid')),
    ...shown.map((ms) => label(left - 6, y(ms) + 4, shortTime(ms), '', 'end')),
    ...(deadlineMs === null
      ? []
      : [
          line(left, y(deadlineMs), edge, y(deadlineMs), 'plot-endstop'),
          label(left - 6, y(deadlineMs) + 4, shortTime(deadlineMs), 'plot-strong', 'end'),
          label(
            left + 6,
            y(deadlineMs) + 15,
            edge - left > 290 ? 'deadline: no attempt starts that could not finish before it' : 'deadline',
          ),
        ]),
    ...series.flatMap(([, key, stroke, dot]) => [
      path(
        marks.map((mark) => (mark[key] === null ? null : [x(mark.at), y(mark[key])])),
        stroke,
      ),
      ...lonely(marks, key).map((mark) =>
        element('circle', { cx: x(mark.at), cy: y(mark[key] ?? low), r: 3, class: dot }),
      ),
    ]),
    ...openMs.slice(0, mostTriangles).map((ms) => triangle(edge + 10, y(ms))),
    ...endLabels(plot, y, edge + 22, base),
    ...volume(marks, x, edge, base, height),
  ]);
}

/** Marks without a neighbour to draw a line to. */
function lonely(marks: readonly LatencyMark[], key: 'p50Ms' | 'p95Ms' | 'p99Ms'): readonly LatencyMark[] {
  const isKnown = (index: number) => (marks[index]?.[key] ?? null) !== null;
  return marks.filter((_, index) => isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1));
}

function triangle(x: number, y: number): string {
  return element('path', {
    d: `M${x} ${y - 4}L${x + 4.5} ${y + 4}L${x - 4.5} ${y + 4}Z`,
    class: 'plot-open',
  });
}

function endLabels(
  { marks, openMs, openRuns = openMs.length }: LatencyPlot,
  y: Scale,
  x: number,
  base: number,
): readonly string[] {
  const newest = marks.at(-1);
  const lines =
    newest === undefined
      ? []
      : series.map(([name, key], index) => {
          const ms = newest[key];
          return {
            text: `${name} ${time(ms)}`,
            at: ms === null ? top + 30 + index : y(ms) + 4,
            look: 'plot-strong',
          };
        });
  const oldest = Math.max(...openMs);
  const open =
    openMs.length === 0
      ? []
      : [
          { text: `${count(openRuns)} open`, at: y(oldest) + 4, look: 'plot-strong' },
          { text: `oldest ${time(oldest)}`, at: y(oldest) + 5, look: '' },
        ];
  const labels = [...open, ...lines];
  const places = spread(
    labels.map(({ at }) => at),
    13,
    base,
  );
  return labels.map(({ text, look }, index) => label(x, places[index] ?? base, text, look));
}

/** How many documents began when: bars under the axis, the largest named. */
function volume(
  marks: readonly LatencyMark[],
  x: Scale,
  edge: number,
  base: number,
  height: number,
): readonly string[] {
  const most = Math.max(1, ...marks.map(({ documents }) => documents));
  const places = marks.map(({ at }) => x(at));
  const room = Math.min(...places.slice(1).map((place, index) => place - (places[index] ?? 0)), 20);
  const wide = Math.max(1, Math.min(9, room - 2));
  const tallest = marks.findIndex(({ documents }) => documents === most);
  const foot = height - 20;
  return [
    // One element for all of them: a month has hundreds.
    path(
      marks.flatMap(({ documents }, index) => {
        const [from, tall] = [(places[index] ?? 0) - wide / 2, (documents / most) * 26];
        const [to, top] = [from + wide, foot - tall];
        return [[from, foot], [from, top], [to, top], [to, foot], null];
      }),
      'plot-bar',
    ),
    ...(tallest < 0 ? [] : [label(places[tallest] ?? 0, foot - 29, count(most), '', 'middle')]),
    label(edge + 22, foot - 2, 'documents'),
    line(44, foot, edge, foot, 'plot-grid'),
    ...clockAxis(marks, places, 56, height - 5),
    line(44, base, edge, base, 'plot-grid'),
  ];
}

/** More stretches than anybody listens to are said together. */
const mostSaid = 48;

function says({ marks, openMs, openRuns = openMs.length, deadlineMs }: LatencyPlot): string {
  const each = marks.length > mostSaid ? [saysAll(marks)] : marks.map(saysOne);
  const oldest = openMs.length === 0 ? '' : `, the oldest for ${time(Math.max(...openMs))}`;
  const until = deadlineMs === null ? '' : ` The deadline is ${shortTime(deadlineMs)}.`;
  return `Time to an outcome: ${each.join('; ') || 'no documents'}. ${count(openRuns)} open${oldest}.${until}`;
}

function saysOne({ name, documents, p50Ms, p95Ms, p99Ms }: LatencyMark): string {
  return `${name} ${count(documents)} documents, p50 ${time(p50Ms)}, p95 ${time(p95Ms)}, p99 ${time(p99Ms)}`;
}

function saysAll(marks: readonly LatencyMark[]): string {
  const documents = marks.reduce((sum, mark) => sum + mark.documents, 0);
  const ranges = series.map(([name, key]) => {
    const known = marks.map((mark) => mark[key]).filter((ms) => ms !== null);
    return `${name} ${known.length === 0 ? time(null) : `${time(Math.min(...known))} to ${time(Math.max(...known))}`}`;
  });
  const span = `from ${marks[0]?.name} to ${marks.at(-1)?.name}`;
  return `${marks.length} stretches ${span} with ${count(documents)} documents, ${ranges.reverse().join(', ')}`;
}
